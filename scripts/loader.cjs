'use strict';
// The index.js of every bundle: runs code.js, as it was compiled when it was bundled where this is the same V8 with the same flags.

const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { cachedDataVersionTag } = require('node:v8');
const { Script } = require('node:vm');

const filename = join(__dirname, 'code.js');
const compiled = join(__dirname, `code.${cachedDataVersionTag()}.cache`);
const script = new Script(
  `(function (exports, require, module, __filename, __dirname) {${readFileSync(filename, 'utf8')}\n})`,
  { filename, ...(existsSync(compiled) ? { cachedData: readFileSync(compiled) } : {}) },
);
script.runInThisContext()(exports, require, module, filename, __dirname);
