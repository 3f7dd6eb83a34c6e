// A control plane in memory with the operator in it, and pods that pretend to run: `node examples/sampledb/run.ts`.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startApiserver } from '#local/start-apiserver.ts';
import { pretendNodes } from './pretend-nodes.ts';
import { sampledb } from './sampledb.ts';

const say = (message: string, fields = {}): void => console.log(message, fields);
const server = await startApiserver({ reconcilers: [sampledb, pretendNodes], log: { info: say, error: say } });
const kubeconfig = join(process.cwd(), '.davit-kubeconfig');
await writeFile(kubeconfig, server.kubeconfig, { mode: 0o600 });
console.log(`ready on ${server.url}\n
  export KUBECONFIG=${kubeconfig}
  kubectl apply -f ${import.meta.dirname}/crd.yaml
  kubectl apply -f ${import.meta.dirname}/example-database.yaml
  kubectl wait --for=condition=Ready sampledb/example-database
  kubectl get SampleDB
  kubectl edit SampleDB/example-database`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
