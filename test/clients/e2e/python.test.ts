import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pathOf } from '#test/support/clients/cache.ts';
import { installPython } from '#test/support/clients/python.ts';
import { needing } from '#test/support/skip.ts';
import { useCluster } from './cluster.ts';
import { runProgram } from './program.ts';

const python = await installPython();

describe('the Python client', needing(python), () => {
  const cluster = useCluster();

  test('writes, pages, watches with a resume, and uses custom kinds dynamically', async () => {
    const script = join(import.meta.dirname, '../../support/clients/python/walk.py');
    const env = { KUBECONFIG: cluster().kubeconfig };
    const { code, stdout, stderr } = await runProgram(pathOf(python), [script], { env });
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      version: '36',
      crud: {
        replaced: { a: '1', b: '2' },
        conflict: [409, 'Conflict'],
        patched: { b: '2' },
        missing: [404, 'configmaps "crud" not found'],
      },
      paging: { inOrder: true, sizes: [10, 10, 5], remaining: [15, 5, null], versions: 1 },
      watching: { eachOnce: true },
      silent: { events: 0 },
      custom: { created: '9007199254740993', applied: 6, names: ['long'], left: [] },
    });
  });
});
