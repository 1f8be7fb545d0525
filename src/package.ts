import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

// By its own name, because the relative path differs between src/ and dist/src/.
const manifest = require('moraine/package.json') as {
  version: string;
  peerDependencies: { graphql: string };
};

/** The version of Moraine, as package.json declares it. */
export const { version } = manifest;

/** This installation cannot serve; the message says what is wrong with it, and what helps. */
export class PackageError extends Error {}

/** Packages that make or read objects of graphql: with two copies of it they refuse each other's. */
const speakers = ['@pothos/core', 'graphql-rate-limit', 'graphql-yoga'];

/**
 * Checks that all packages find the same graphql, of a version that fits; a package manager may have
 * installed others.
 *
 * @throws PackageError
 */
export function checkGraphql(): void {
  const wanted = manifest.peerDependencies.graphql;
  const own = findManifest(require);
  const { version: found } = require(own) as { version: string };
  const strange = speakers.find((name) => findManifest(createRequire(require.resolve(name))) !== own);
  const isFit = fits(found, wanted);
  if (isFit && !strange) return;
  throw new PackageError(
    `Moraine needs one graphql ${wanted} for all of its packages, but ` +
      (isFit ? `${strange} has another copy than Moraine itself` : `finds ${found}`) +
      '. Nothing was changed. Install it in the same project as Moraine: npm install graphql@16',
  );
}

function findManifest(from: NodeJS.Require): string {
  try {
    return from.resolve('graphql/package.json');
  } catch (error) {
    throw new PackageError(
      'Moraine needs graphql, which is not installed in the same project. Nothing was changed. Run: npm install graphql@16',
      { cause: error },
    );
  }
}

/** Whether a version is in a range of the form ^major.minor.patch. */
function fits(found: string, range: string): boolean {
  const [major, minor = 0] = found.split('.').map(Number);
  const [wantedMajor, wantedMinor = 0] = range.slice(1).split('.').map(Number);
  return major === wantedMajor && minor >= wantedMinor;
}
