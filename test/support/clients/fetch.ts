// Fetches and builds every client and emulator that the tests use, each once, so that no test waits for it: `node
// test/support/clients/fetch.ts`. Fails and lists those that could not be fetched or built.
import { installDynamoDbLocal } from '#test/support/dynamodb-local/install.ts';
import { installRuntimeClient } from '#test/support/lambda/install.ts';
import { installLocalStack } from '#test/support/localstack/install.ts';
import { installMinistack } from '#test/support/ministack/install.ts';
import { installAws } from './aws.ts';
import { programOnPath } from './cache.ts';
import { buildCoreDNS } from './coredns.ts';
import { buildDeviceMonitor, buildDevicePlugin, GRPC_GO } from './device-plugin.ts';
import { installGo } from './go.ts';
import { buildGoInformer, buildGoOperator, buildGoWebhook } from './go-operator.ts';
import { buildJavaOperator } from './java-operator.ts';
import { buildKmsPlugin } from './kms-plugin.ts';
import { buildKubeScheduler } from './kube-scheduler.ts';
import { KUBECTLS } from './kubectl.ts';
import { metricsServerManifest } from './metrics-server.ts';
import { buildOpa } from './opa.ts';
import { installOpenApiGenerator } from './openapi-generator.ts';
import { podSecurityFixtures } from './pod-security-fixtures.ts';
import { installKopf, installPython } from './python.ts';
import { buildSampleApiserver } from './sample-apiserver.ts';
import { installFastApi } from './webhooks.ts';

/** Each client with its installer. If installation fails, the installer returns an object with the reason in `missing`. */
const CLIENTS: readonly (readonly [string, () => Promise<object>])[] = [
  ['DynamoDB Local', installDynamoDbLocal],
  ...KUBECTLS.map(({ title, install }) => [`kubectl ${title}`, install] as const),
  ['the kubernetes package for Python', installPython],
  ['kopf', installKopf],
  ['FastAPI', installFastApi],
  ['ministack', installMinistack],
  ["Lambda's runtime", installRuntimeClient],
  ['LocalStack', installLocalStack],
  ['the AWS CLI', installAws],
  ['Go', installGo],
  ['the operator on controller-runtime', buildGoOperator],
  ['the informer on client-go', buildGoInformer],
  ['the webhook on controller-runtime', buildGoWebhook],
  ['the KMS plugin', buildKmsPlugin],
  ...GRPC_GO.map((version) => [`the device plugin on grpc-go ${version}`, () => buildDevicePlugin(version)] as const),
  ['the monitor of devices', buildDeviceMonitor],
  ['Open Policy Agent', buildOpa],
  ...(process.env['DAVIT_FULL'] === undefined
    ? []
    : ([
        ['CoreDNS', buildCoreDNS],
        ['metrics-server', metricsServerManifest],
      ] as const)),
  ['kube-scheduler', buildKubeScheduler],
  ['the sample-apiserver', buildSampleApiserver],
  ['the Pod Security fixtures', podSecurityFixtures],
  ['the operator on fabric8', buildJavaOperator],
  ['OpenAPI Generator', installOpenApiGenerator],
  ['curl', () => programOnPath('curl', '--version')],
  ['nginx', () => programOnPath('nginx', '-v')],
];

/** Prints the result, and returns whether the client is available. */
async function fetched([title, install]: (typeof CLIENTS)[number]): Promise<boolean> {
  const began = performance.now();
  const outcome = await install();
  const seconds = Math.round((performance.now() - began) / 1_000);
  const missing = 'missing' in outcome ? String(outcome.missing) : undefined;
  console.log(`${title}: ${missing === undefined ? 'there' : `MISSING: ${missing}`} (${seconds} s)`);
  return missing === undefined;
}

let missing = 0;
for (const client of CLIENTS) if (!(await fetched(client))) missing++;
if (missing > 0) console.error(`${missing} clients are missing`);
process.exitCode = missing > 0 ? 1 : 0;
