/** A generator of clients: how its client is made, compiled and run. `{…}` stands for the values of `Places`. */
export interface Tool {
  name: string;
  /** Programs that the machine has to have. */
  needs: readonly string[];
  /** Where downloads and builds are kept: `cache`; what is made anew: `work`. Each is a command of a shell in `work`. */
  make: readonly string[];
  run: string;
}

const GENERATOR = 'org.openapitools:openapi-generator-cli:7.23.0';
const PLUGIN = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
const JAR = '"$CACHE/openapi-generator.jar"';
const WITHOUT = '--global-property apiDocs=false,modelDocs=false,apiTests=false,modelTests=false';
const generator = (language: string, folder: string, properties: string) => [
  `[ -s ${JAR} ] || { mvn -q -B ${PLUGIN}:get -Dartifact=${GENERATOR} -Dtransitive=false && mvn -q -B ${PLUGIN}:copy -Dartifact=${GENERATOR} -DoutputDirectory="$CACHE" -Dmdep.stripVersion=true && mv "$CACHE/openapi-generator-cli.jar" ${JAR}; }`,
  `java -jar ${JAR} generate -g ${language} -i "$DOCUMENT" -o ${folder} --additional-properties=${properties} ${WITHOUT}`,
];
const goBuild = [
  "printf 'module example.com/client\\n\\ngo 1.22\\n' > go.mod",
  'go mod tidy',
  'go build -o client .',
];
const venv = (...packages: string[]) => [
  `[ -x "$CACHE/bin/python" ] || python3 -m venv "$CACHE"`,
  `"$CACHE/bin/pip" install -q ${packages.join(' ')}`,
];
const npm = (...packages: string[]) => [
  `npm install --silent --no-audit --no-fund --prefix "$CACHE" ${packages.join(' ')}`,
  'ln -sfn "$CACHE/node_modules" node_modules',
  `printf '{"type":"module"}' > package.json`,
];
const compile =
  'npx tsc --strict --target es2022 --module nodenext --skipLibCheck --types node --outDir out main.ts';

/** In versions that are pinned, so that the gate speaks of the document and not of what came out today. */
export const tools: readonly Tool[] = [
  {
    name: 'openapi-typescript',
    needs: ['npm'],
    make: [
      ...npm('openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3', '@types/node@20.19.0'),
      'npx openapi-typescript "$DOCUMENT" -o api.d.ts',
      compile,
    ],
    run: 'node out/main.js',
  },
  {
    name: 'hey-api',
    needs: ['npm'],
    make: [
      ...npm(
        '@hey-api/openapi-ts@0.99.0',
        'zod@4.6.7',
        'typescript@5.9.3',
        '@types/node@20.19.0',
        'tsx@4.23.15',
      ),
      `printf 'export default { input: process.env.DOCUMENT, output: "api", plugins: ["@hey-api/client-fetch", "zod", { name: "@hey-api/sdk", validator: true }] };' > openapi-ts.config.mjs`,
      'npx openapi-ts -f openapi-ts.config.mjs',
      'npx tsc --strict --target es2022 --module esnext --moduleResolution bundler --skipLibCheck --types node --noEmit main.ts',
    ],
    // Its imports have no extensions, as bundlers take them.
    run: 'npx tsx main.ts',
  },
  {
    name: 'openapi-python-client',
    needs: ['python3'],
    make: [
      ...venv('openapi-python-client==0.29.1'),
      '"$CACHE/bin/openapi-python-client" generate --path "$DOCUMENT" --output-path api --overwrite --meta none',
    ],
    run: '"$CACHE/bin/python" main.py',
  },
  {
    name: 'oapi-codegen',
    needs: ['go'],
    make: [
      '[ -x "$CACHE/oapi-codegen" ] || GOBIN="$CACHE" go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
      'mkdir -p api && "$CACHE/oapi-codegen" -generate types,client -package api "$DOCUMENT" > api/api.go',
      ...goBuild,
    ],
    run: './client',
  },
  {
    name: 'go',
    needs: ['go', 'java', 'mvn'],
    make: [...generator('go', 'api', 'packageName=api,withGoMod=false'), 'rm -rf api/test', ...goBuild],
    run: './client',
  },
  {
    name: 'python',
    needs: ['python3', 'java', 'mvn'],
    make: [
      ...generator('python', '.', 'packageName=api'),
      ...venv('urllib3==2.5.0', 'python-dateutil==2.9.0.post0', 'pydantic==2.12.5', 'typing-extensions'),
    ],
    run: '"$CACHE/bin/python" main.py',
  },
  {
    name: 'java',
    needs: ['javac', 'mvn'],
    make: [
      ...generator('java', 'api', 'openApiNullable=false'),
      'mvn -q -B -f api -DskipTests -Dmaven.javadoc.skip=true -Dmaven.source.skip=true package',
      'javac -cp "api/target/*:api/target/lib/*" Main.java',
    ],
    run: 'java -cp ".:api/target/*:api/target/lib/*" Main',
  },
  {
    name: 'rust',
    needs: ['cargo', 'java', 'mvn'],
    make: [
      ...generator('rust', 'api', 'packageName=api'),
      'mkdir -p src && mv main.rs src/',
      // Without TLS, whose library alone takes minutes to compile.
      `printf '[package]\\nname = "client"\\nversion = "1.0.0"\\nedition = "2021"\\n\\n[dependencies]\\napi = { path = "api", default-features = false }\\ntokio = { version = "1", features = ["rt", "macros"] }\\n' > Cargo.toml`,
      'CARGO_TARGET_DIR="$CACHE/target" CARGO_PROFILE_DEV_DEBUG=0 cargo build -q',
    ],
    run: '"$CACHE/target/debug/client"',
  },
];
