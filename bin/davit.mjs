#!/usr/bin/env node
import { existsSync } from 'node:fs';
import * as module from 'node:module';

const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
  console.error(`davit: needs Node.js 24 or newer, this is ${process.version}`);
  process.exit(1);
}
module.enableCompileCache();
// A checkout runs its source, the package what was built of it.
const source = new URL('../local/main.ts', import.meta.url);
await import(existsSync(source) ? source.href : new URL('../dist/local/main.js', import.meta.url).href);
