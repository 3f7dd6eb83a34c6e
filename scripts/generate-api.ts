import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Peer } from '#test/unit/differential/peer.ts';
import { download } from './generate-api/from-server.ts';
import { generatedFiles } from './generate-api/output.ts';
import { readMessages } from './generate-api/protobuf.ts';

const USAGE = `usage: npm run generate -- --server KUBECONFIG --proto FOLDER [--output FOLDER]

Writes the table of built-in kinds and their TypeScript types, both of which are committed.

  --server KUBECONFIG  a kube-apiserver, started with --runtime-config=api/all=true so that it publishes every version
  --proto FOLDER       the sources of k8s.io/{api,apimachinery,apiextensions-apiserver,kube-aggregator}, for protobuf numbers
  --output FOLDER      where the table goes; default lib/api/generated

DAVIT_FIXTURES=FOLDER npm run generate reads the same documents from FOLDER/data.`;

/** Writes the table from the published documents in a folder. */
function generate(data: string, output: string): void {
  mkdirSync(output, { recursive: true });
  for (const [name, text] of Object.entries(generatedFiles(data, api))) writeFileSync(join(output, name), text);
}

async function generateFrom(kubeconfig: string, protos: string, output: string): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'davit-generate-'));
  try {
    using server = Peer.of(kubeconfig);
    await download(server, data);
    writeFileSync(join(data, 'kubernetes-protobuf.json'), JSON.stringify(readMessages(protos)));
    generate(data, output);
  } finally {
    rmSync(data, { recursive: true });
  }
}

const api = join(import.meta.dirname, '..', 'lib', 'api');
const { values } = parseArgs({
  options: {
    server: { type: 'string' },
    proto: { type: 'string' },
    output: { type: 'string', default: join(api, 'generated') },
  },
});
const fixtures = process.env['DAVIT_FIXTURES'];
if (values.server !== undefined && values.proto !== undefined)
  await generateFrom(values.server, values.proto, values.output);
else if (values.server === undefined && fixtures !== undefined) generate(join(fixtures, 'data'), values.output);
else {
  console.error(USAGE);
  process.exit(2);
}

// Imported now, because it reads the table that was just written.
const { typeScriptFiles } = await import('./generate-api/typescript.ts');
for (const [name, text] of Object.entries(typeScriptFiles())) writeFileSync(join(api, 'types', name), text);
const { exportedKinds } = await import('./generate-api/exported-kinds.ts');
writeFileSync(join(api, '../../exports/api.ts'), exportedKinds());
