'use strict';
// The index.js of every bundle: runs code.js, and of the files beside it what is needed when it is; each as it was compiled when it was
// bundled, where this is the same V8 with the same flags.

const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { cachedDataVersionTag } = require('node:v8');
const { Script } = require('node:vm');

const ending = `.${cachedDataVersionTag()}.cache`;
const loaded = new Map();

function load(name) {
  if (!name.startsWith('./')) return require(name);
  if (!loaded.has(name)) run(name);
  return loaded.get(name).exports;
}

function run(name) {
  const filename = join(__dirname, name);
  const compiled = filename.replace(/\.js$/, ending);
  const cachedData = existsSync(compiled) ? { cachedData: readFileSync(compiled) } : {};
  const script = new Script(readFileSync(filename, 'utf8'), { filename, ...cachedData });
  const own = { exports: {} };
  loaded.set(name, own);
  script.runInThisContext()(own.exports, load, own, filename, __dirname);
}

module.exports = load('./code.js');
