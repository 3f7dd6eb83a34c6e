import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '#adapters/clock.ts';
import { SqliteStore } from '#adapters/server/sqlite/store.ts';
import { EMPTY } from '#lib/server/policy/resource-quota/ledger-state.ts';
import { filling } from './filling.ts';

const NAMESPACES = 10_000;
const HARD = { pods: '10', 'requests.cpu': '4', 'requests.memory': '8Gi', configmaps: '10' };
const USED = { pods: '0', 'requests.cpu': '0', 'requests.memory': '0', configmaps: '0' };

const core = (resource: string) => ({ group: '', version: 'v1', resource });

/** Measures the memory for the quotas of many namespaces and their ledgers. The bar is 50 MB. */
export async function measureQuotas(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'davit-quotas-'));
  const path = join(directory, 'davit.db');
  const store = new SqliteStore({ path, clock: systemClock, retention: 3_600_000, sync: 'off' });
  try {
    await fill(store);
  } finally {
    await store.close();
    rmSync(directory, { recursive: true });
  }
}

async function fill(store: SqliteStore): Promise<void> {
  const { server, client } = filling(store);
  const names = Array.from({ length: NAMESPACES }, (_, i) => `n${i}`);
  for (const name of names) await client.create(core('namespaces'), { metadata: { name } });
  const before = heap();
  for (const namespace of names) {
    const quota = await client.create(core('resourcequotas'), {
      metadata: { name: 'q', namespace },
      spec: { hard: HARD },
    });
    const ref = { resource: core('resourcequotas'), namespace, name: 'q' };
    await client.update(ref, { ...quota, status: { hard: HARD, used: USED } }, 'status');
    const counted = new Map([['q', new Map(Object.entries(USED))]]);
    await server.quotaLedger.change(namespace, () => ({ ...EMPTY, counted }));
  }
  console.log(`${NAMESPACES} quotas and their ledgers: ${((heap() - before) / 1e6).toFixed(1)} MB (bar 50)`);
  await server.close();
}

function heap(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
