'use strict';
// Loads the bundle in a folder once and keeps what V8 compiled of it meanwhile, for processes like this one.

const { writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { cachedDataVersionTag } = require('node:v8');
const vm = require('node:vm');

const folder = resolve(process.argv[2]);
const scripts = [];
vm.Script = class extends vm.Script {
  constructor(...of) {
    super(...of);
    scripts.push(this);
  }
};
globalThis.awslambda = { streamifyResponse: (handler) => handler };
require(join(folder, 'index.js'));
writeFileSync(join(folder, `code.${cachedDataVersionTag()}.cache`), scripts[0].createCachedData());
process.exit(0);
