/** What is downloaded, from where: so that a failure says which registry refused it. */
interface Download {
  from: "npm's registry" | 'PyPI' | 'the proxy of Go modules' | 'Maven Central' | 'crates.io';
  command: string;
}

/** A generator of clients, with the shell commands that make, compile and run its client. */
export interface Tool {
  /** Of its folder next to this one too. */
  name: string;
  /** What the machine needs: programs, or commands that succeed. */
  needs: readonly string[];
  /**
   * In a folder of the client. $DOCUMENT is the document, $CACHE what the tool's next run finds again,
   * $SHARED what all do.
   */
  make: readonly (string | Download)[];
  run: string;
}

/** Debian's python3 does not make environments by itself. */
const PYTHON = 'python3 -c "import ensurepip"';
// Its own place for downloads is the home that the system knows, which need not be there.
const MAVEN =
  'mvn -q -B -Dmaven.repo.local="$SHARED/maven" org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
const GENERATOR = 'org.openapitools:openapi-generator-cli:7.23.0';
const JAR = '"$SHARED/openapi-generator-cli-7.23.0.jar"';
const WITHOUT = '--global-property apiDocs=false,modelDocs=false,apiTests=false,modelTests=false';

const generator = (language: string, folder: string, properties: string): Tool['make'] => [
  {
    from: 'Maven Central',
    command: `[ -s ${JAR} ] || { ${MAVEN}:get -Dartifact=${GENERATOR} -Dtransitive=false && ${MAVEN}:copy -Dartifact=${GENERATOR} -DoutputDirectory="$SHARED"; }`,
  },
  `java -jar ${JAR} generate -g ${language} -i "$DOCUMENT" -o ${folder} --additional-properties=${properties} ${WITHOUT}`,
];
const goModule = (...modules: string[]): Tool['make'] => [
  `printf '${['module example.com/client', 'go 1.22', ...modules.map((each) => `require ${each}`)].join('\\n')}\\n' > go.mod`,
  { from: 'the proxy of Go modules', command: 'go mod tidy' },
  'go build -o client .',
];
const pip = (...packages: string[]): Tool['make'] => [
  `[ -x "$CACHE/bin/python" ] || python3 -m venv "$CACHE"`,
  { from: 'PyPI', command: `"$CACHE/bin/pip" install -q --disable-pip-version-check ${packages.join(' ')}` },
];
const npm = (...packages: string[]): Tool['make'] => [
  {
    from: "npm's registry",
    command: `npm install --silent --prefer-offline --no-audit --no-fund --prefix "$CACHE" ${packages.join(' ')}`,
  },
  'ln -s "$CACHE/node_modules" node_modules',
  `printf '{"type":"module"}' > package.json`,
];
const checkTypes = 'npx tsc --strict --target es2022 --skipLibCheck --types node';
const compilers = ['typescript@5.9.3', '@types/node@20.19.0'];

/** Pinned versions, so that a run tests the document and not today's releases. */
export const tools: readonly Tool[] = [
  {
    name: 'openapi-typescript',
    needs: ['npm'],
    make: [
      ...npm('openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', ...compilers),
      'npx openapi-typescript "$DOCUMENT" -o api.d.ts',
      `${checkTypes} --module nodenext --outDir out main.ts`,
    ],
    run: 'node out/main.js',
  },
  {
    name: 'hey-api',
    needs: ['npm'],
    make: [
      ...npm('@hey-api/openapi-ts@0.99.0', 'zod@4.6.7', 'tsx@4.23.15', ...compilers),
      `printf 'export default { input: process.env.DOCUMENT, output: "api", plugins: ["@hey-api/client-fetch", "zod", { name: "@hey-api/sdk", validator: true }] };' > openapi-ts.config.mjs`,
      'npx openapi-ts -f openapi-ts.config.mjs',
      `${checkTypes} --module esnext --moduleResolution bundler --noEmit main.ts`,
    ],
    // Its imports have no extensions, which bundlers accept.
    run: 'npx tsx main.ts',
  },
  {
    name: 'openapi-python-client',
    needs: [PYTHON],
    make: [
      ...pip('openapi-python-client==0.29.1'),
      // It formats by a tool that is not here, and a warning of that would be a failure.
      `printf 'post_hooks: []\\n' > config.yml`,
      '"$CACHE/bin/openapi-python-client" generate --path "$DOCUMENT" --config config.yml --output-path api --meta none --fail-on-warning',
    ],
    run: '"$CACHE/bin/python" main.py',
  },
  {
    name: 'oapi-codegen',
    needs: ['go'],
    make: [
      {
        from: 'the proxy of Go modules',
        command:
          '[ -x "$CACHE/oapi-codegen" ] || GOBIN="$CACHE" go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2',
      },
      'mkdir api && "$CACHE/oapi-codegen" -generate types,client -package api "$DOCUMENT" > api/api.go',
      ...goModule('github.com/oapi-codegen/runtime v1.8.0'),
    ],
    run: './client',
  },
  {
    name: 'go',
    needs: ['go', 'java', 'mvn'],
    make: [
      ...generator('go', 'api', 'packageName=api,withGoMod=false'),
      ...goModule('gopkg.in/validator.v2 v2.0.1'),
    ],
    run: './client',
  },
  {
    name: 'python',
    needs: [PYTHON, 'java', 'mvn'],
    make: [
      ...generator('python', '.', 'packageName=api'),
      ...pip(
        'urllib3==2.5.0',
        'python-dateutil==2.9.0.post0',
        'pydantic==2.12.5',
        'typing-extensions==4.15.0',
      ),
    ],
    run: '"$CACHE/bin/python" main.py',
  },
  {
    name: 'java',
    needs: ['javac', 'mvn'],
    make: [
      ...generator('java', 'api', 'openApiNullable=false'),
      {
        from: 'Maven Central',
        command: `[ -e "$CACHE/all" ] || { ${MAVEN}:copy-dependencies -f api -DincludeScope=compile -DoutputDirectory="$CACHE" && touch "$CACHE/all"; }`,
      },
      // The names of parameters, by which Main.java gives their values.
      'javac -nowarn -parameters -d classes -cp "$CACHE/*" $(find api/src/main -name "*.java") Main.java',
    ],
    run: 'java -cp "classes:$CACHE/*" Main',
  },
  {
    name: 'rust',
    needs: ['cargo', 'java', 'mvn'],
    make: [
      ...generator('rust', 'api', 'packageName=api'),
      'mkdir src && mv main.rs src/',
      // Without TLS, whose library takes minutes to compile by itself.
      `printf '[package]\\nname = "client"\\nversion = "1.0.0"\\nedition = "2021"\\n\\n[dependencies]\\napi = { path = "api", default-features = false }\\nserde_json = "1"\\ntokio = { version = "1", features = ["rt", "macros"] }\\n' > Cargo.toml`,
      { from: 'crates.io', command: 'cargo fetch -q' },
      'CARGO_TARGET_DIR="$CACHE" CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 cargo build -q --offline',
    ],
    run: '"$CACHE/debug/client"',
  },
];

/** Writes the documents of an application by their ids; $DOCUMENT is the schema of GraphQL. */
export const relayCompiler: Tool = {
  name: 'relay',
  needs: ['npm'],
  make: [
    ...npm('relay-compiler@21.0.1'),
    'cp "$DOCUMENT" schema.graphql',
    // It adds to a file that is there.
    `printf '{}' > persisted.json`,
    'npx relay-compiler',
  ],
  run: '',
};

/** Asks what the document allows and what it does not, in all phases; see its configuration. */
export const schemathesis: Tool = {
  name: 'schemathesis',
  needs: [PYTHON],
  make: pip('schemathesis==4.32.5'),
  run: '"$CACHE/bin/schemathesis" run "$DOCUMENT" --no-color --url',
};
