import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Peer } from '#test/unit/differential/peer.ts';

const DISCOVERY = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Writes a running server's OpenAPI v3 documents and discovery into a folder, in the form that `readSources` reads. */
export async function download(server: Peer, folder: string): Promise<void> {
  const documents = join(folder, 'kubernetes-openapi-v3');
  mkdirSync(documents, { recursive: true });
  const { paths } = JSON.parse(await server.raw('/openapi/v3', 'application/json')) as Index;
  for (const [path, { serverRelativeURL }] of Object.entries(paths)) {
    const text = await server.raw(serverRelativeURL, 'application/json');
    writeFileSync(join(documents, `${path.replaceAll('/', '__')}_openapi.json`), text);
  }
  // The group's names and verbs come from its document.
  writeFileSync(join(folder, 'aggregated_v2.json'), await server.raw('/apis', DISCOVERY));
}

interface Index {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}
