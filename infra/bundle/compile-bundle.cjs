'use strict';
// Keeps what V8 compiles of the bundle in a folder, for processes like this one: of a function that answers requests what its first
// ones take too, over a table that another environment began. Usage: node compile-bundle.cjs FOLDER [STATUS PATH]...

const { execFile } = require('node:child_process');
const { join } = require('node:path');
const { promisify } = require('node:util');
const { standInTable } = require('./stand-in-table.cjs');

const run = promisify(execFile);
const of = process.argv.slice(2);

async function main() {
  const table = await standInTable();
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL_DYNAMODB: table.endpoint,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_REGION: 'local',
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  const load = (purpose) => run(process.execPath, [join(__dirname, 'load-bundle.cjs'), purpose, ...of], { env });
  if (of.length > 1) await load('begin');
  await load('keep');
  table.close();
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
