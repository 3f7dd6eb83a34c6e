import { eventually } from '#test/support/eventually.ts';
import { inNamespaces } from './in-namespaces.ts';
import { latencies, quantile } from './samples.ts';

const PODS = 20;
const PROXY = '/run/proxy.sock';
/** The requests to the container runtime that start a pod. */
const STARTING = ['RunPodSandbox', 'CreateContainer', 'StartContainer'];

/**
 * Prints the time from a pod's binding until the API shows it as running, and the part that the runtime does not account for. Needs root.
 */
export async function measurePods(): Promise<void> {
  if (process.env['DAVIT_ROOT_TESTS'] === undefined) return inNamespaces('--pods');
  const [{ setup }, { TestNode }, { RuntimeProxy }, { aPod }] = await Promise.all([
    import('#test/root/setup.ts'),
    import('#test/root/test-node.ts'),
    import('#test/root/runtime-proxy.ts'),
    import('#test/root/builders.ts'),
  ]);
  setup();
  await using proxy = await RuntimeProxy.start(PROXY);
  await using node = await TestNode.start(`--container-runtime-endpoint=unix://${PROXY}`);
  using api = node.server.connect();
  const own: number[] = [];
  const spent = (): number => STARTING.reduce((sum, call) => sum + (proxy.taken.get(call) ?? 0), 0);
  const all = await latencies(PODS, async (index) => {
    const [before, began] = [spent(), performance.now()];
    const path = '/api/v1/namespaces/default/pods';
    await api.json('POST', path, aPod(`p${index}`, undefined, { nodeName: 'n1' }));
    await eventually(async () => (await api.json<Shown>('GET', `${path}/p${index}`)).status?.phase === 'Running');
    own.push(performance.now() - began - (spent() - before));
  });
  for (const [name, samples] of [
    ['bind to Running', all],
    ['without the time of the runtime', own],
  ] as const)
    console.log(`${name}: median ${quantile(samples, 0.5).toFixed(0)} ms, most ${Math.max(...samples).toFixed(0)} ms`);
}

interface Shown {
  readonly status?: { readonly phase?: string };
}
