'use strict';
// Loads the bundle in a folder, has it answer requests, and keeps what V8 compiled of it meanwhile, if it is to.
// Usage: node load-bundle.cjs begin|keep FOLDER [STATUS PATH]...

const { writeFileSync } = require('node:fs');
const { resolve } = require('node:path');
const { PassThrough } = require('node:stream');
const { cachedDataVersionTag } = require('node:v8');
const vm = require('node:vm');

const [purpose, folder, ...requests] = process.argv.slice(2);
const scripts = [];
vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, options);
    scripts.push({ script: this, file: options.filename });
  }
};
const withHead = (stream, head) => Object.assign(stream, { head });
globalThis.awslambda = { streamifyResponse: (handler) => handler, HttpResponseStream: { from: withHead } };
const { handler } = require(resolve(folder, 'index.js'));

/** As a function URL and as a REST API tell of a request. */
const eventOf = (path) => ({
  rawPath: path,
  rawQueryString: '',
  headers: {},
  httpMethod: 'GET',
  path,
  multiValueHeaders: {},
  multiValueQueryStringParameters: null,
  body: null,
  isBase64Encoded: false,
  requestContext: {
    domainName: 'davit.example.com',
    http: { method: 'GET', sourceIp: '192.0.2.7' },
    identity: { sourceIp: '192.0.2.7' },
  },
});

async function answered(path, status) {
  const stream = new PassThrough().resume();
  await handler(eventOf(path), stream, { getRemainingTimeInMillis: () => 60_000 });
  const found = stream.head?.statusCode;
  if (found !== Number(status)) throw new Error(`a bundle answered ${found} to ${path}, not ${status}`);
}

async function main() {
  for (let i = 0; i < requests.length; i += 2) await answered(requests[i + 1], requests[i]);
  if (purpose !== 'keep') return;
  const ending = `.${cachedDataVersionTag()}.cache`;
  for (const { script, file } of scripts) writeFileSync(file.replace(/\.js$/, ending), script.createCachedData());
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
