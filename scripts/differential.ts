import { parseArgs } from 'node:util';
import { defined } from '#lib/machinery/defined.ts';
import { startApiserver } from '#local/start-apiserver.ts';
import { Peer } from '#test/unit/differential/peer.ts';
import { run, SUITES } from '#test/unit/differential/run.ts';

const USAGE = `usage: npm run differential -- --reference KUBECONFIG [options]

Sends random requests to a real Kubernetes API server and to this one, and prints every answer that differs.

  --reference KUBECONFIG  the server whose answers are right; a cluster to be thrown away
  --subject KUBECONFIG    the server to compare; default: one started in this process, in memory, whose
                          controllers of objects do not run
  --suites NAMES          of ${Object.keys(SUITES).join(',')}; default: all but scheduling, which needs a scheduler beside the reference
  --cases N               cases of each suite; default 200
  --seed N                the first case's seed; default 1
  --record FILE           writes the reference's answers of the cases that agree`;

const { values } = parseArgs({
  options: {
    reference: { type: 'string' },
    subject: { type: 'string' },
    suites: {
      type: 'string',
      default: Object.keys(SUITES)
        .filter((name) => name !== 'scheduling')
        .join(','),
    },
    cases: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    record: { type: 'string' },
  },
});
if (values.reference === undefined) {
  console.error(USAGE);
  process.exit(2);
}

using reference = Peer.of(values.reference);
const suites = values.suites.split(',');
const own =
  values.subject === undefined
    ? await startApiserver({ controllers: [], ...(suites.includes('scheduling') ? {} : { scheduler: false }) })
    : undefined;
using subject =
  own === undefined
    ? Peer.of(values.subject ?? '')
    : new Peer(own.url, { ca: own.certificateAuthority }, () => Promise.resolve(own.adminToken));
const { different } = await run({
  reference,
  subject,
  suites,
  cases: Number(values.cases),
  seed: Number(values.seed),
  ...defined({ record: values.record }),
  print: console.log,
});
await own?.close();
process.exitCode = different === 0 ? 0 : 1;
