import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Logger } from '#lib/client/controller/logger.ts';
import { eventually } from '#test/support/eventually.ts';
import { startApiserver } from '../start-apiserver.ts';

const reconciler = (name: string): string => `
import { defineReconciler } from '@davit-dev/davit/controller';
export const it = defineReconciler(
  { name: '${name}', for: { apiVersion: 'v1', kind: 'Namespace', clusterScoped: true } },
  async (_request, { log }) => void log.info('${name} runs'),
);
`;

test('runs files that are added to a running server without a failure', async () => {
  const root = mkdtempSync(join(tmpdir(), 'davit-new-file-'));
  const folder = join(root, 'functions');
  mkdirSync(folder);
  const logged: string[] = [];
  const faults: string[] = [];
  const info: Logger['info'] = (message) => void logged.push(message);
  const error: Logger['error'] = (message) => void faults.push(message);
  const server = await startApiserver({
    dataDirectory: join(root, 'data'), // on a disk, so that writes take time
    functionsFolder: folder,
    log: { info, error },
    reportFault: (at, fault) => void faults.push(`${at}: ${String(fault)}`),
  });
  for (const name of ['one', 'two', 'three', 'four']) {
    writeFileSync(join(folder, `${name}.ts`), reconciler(name));
    await eventually(() => expect(logged).toContain(`${name} runs`));
  }
  await server.close();
  rmSync(root, { recursive: true });
  expect(faults).toEqual([]);
});
