import { describe, expect, test } from 'vitest';
import { ApiConnection } from '#test/clients/integration/api-connection.ts';
import { buildGoOperator } from '#test/support/clients/go-operator.ts';
import { needing } from '#test/support/skip.ts';
import { useCluster } from './cluster.ts';
import { defineGreetings, oneGreeting } from './greetings.ts';
import { RunningProgram } from './program.ts';

// a full run takes a minute
const SECONDS = process.env['DAVIT_FULL'] === undefined ? 15 : 60;

const operator = await buildGoOperator();

describe('an operator on controller-runtime', needing(operator), () => {
  const cluster = useCluster();

  test(`reconciles for ${SECONDS} seconds with no error in its log`, async () => {
    using api = new ApiConnection(cluster().server.kubeconfig);
    await defineGreetings(api);
    const env = { KUBECONFIG: cluster().kubeconfig };
    await using running = new RunningProgram('path' in operator ? operator.path : '', [`--for=${SECONDS}s`], { env });
    const until = performance.now() + SECONDS * 1000 - 5000;
    let rounds = 0;
    do await oneGreeting(api, `greeting-${rounds++}`);
    while (performance.now() < until);
    const { code, stderr } = await running.ended();
    const suspicious = untilStopped(stderr)
      .split('\n')
      .filter((line) => /"level":"(?:error|warn|dpanic|panic|fatal)"|^[EWF]\d{4} /.test(line));
    expect({ code, suspicious }).toEqual({ code: 0, suspicious: [] });
    expect(stderr).toContain('Starting workers');
    console.log(`${rounds} objects were created, changed, repaired and deleted within ${SECONDS} s`);
  });
});

/** The manager's log until it stops. At the end, it logs the release of its lease as "leader election lost". */
function untilStopped(log: string): string {
  const end = log.indexOf('"msg":"Stopping and waiting for ');
  expect(end).toBeGreaterThan(0);
  return log.slice(0, end);
}
