import { existsSync } from 'node:fs';
import * as module from 'node:module';

/** The major version in `engines` of package.json. */
const NEEDED = 24;

/** Runs a program of this package: `entry` is its module, without an extension. */
export async function run(entry) {
  const [major] = process.versions.node.split('.');
  if (Number(major) < NEEDED) {
    const found = `davit: needs Node.js ${NEEDED} or newer, this is ${process.version}`;
    console.error(
      `${found}: install it from https://nodejs.org, or here with npm install --save-dev node@${NEEDED}, and run npm exec --no -- davit`,
    );
    process.exit(1);
  }
  module.enableCompileCache();
  // A checkout runs its source, the package what was built of it.
  const source = new URL(`../${entry}.ts`, import.meta.url);
  await import(existsSync(source) ? source.href : new URL(`../dist/${entry}.js`, import.meta.url).href);
}
