import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { systemClock } from '#adapters/clock.ts';
import { ApiConnection, type Remote } from '#adapters/server/http/api-connection.ts';
import { isServedByFunctions } from '#lib/controllers/bootstrap/first-start.ts';
import { kubeconfigOf } from '#lib/helpers/clientcmd/new-kubeconfig.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { awsToken } from '#lib/server/authentication/aws/presign.ts';
import { newAuthority } from '#local/certs.ts';
import { placeAt } from '#local/run/kubeconfig-place.ts';
import { busCheck } from './smoke/bus.ts';
import { checksOf, cleanup, frontDoorCheck } from './smoke/checks.ts';
import { type Deployment, deploymentOf } from './smoke/deployment.ts';
import { kubectlChecks } from './smoke/kubectl.ts';
import { type Check, runChecks } from './smoke/report.ts';
import { UNPROVEN } from './smoke/unproven.ts';

const USAGE =
  'usage: npm run smoke -- --server URL [--cluster-id ID] | --kubeconfig FILE [--context NAME], [--bus NAME] [--kubectl PROGRAM] [--skip WORD]...';

interface Reached {
  readonly remote: Remote;
  readonly kubeconfig: string;
}

/** Checks a deployment. Resolves with the exit code: 0 if all checks pass, 1 if one fails, 2 if they cannot run. */
export async function smoke(args: readonly string[], print: (line: string) => void): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'davit-smoke-'));
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    const reached = await reach(values, folder);
    using connection = new ApiConnection(reached.remote);
    const { url, caBundle, insecure = false } = reached.remote;
    using nobody = new ApiConnection({ url, caBundle, insecure });
    using stranger = new ApiConnection({ url, caBundle, insecure, credentials: await foreignCertificate() });
    const deployment = deploymentOf({
      user: handleOf(connection),
      anonymous: handleOf(nobody),
      foreign: handleOf(stranger),
    });
    const isDeployed = await isInAccount(deployment, values.server !== undefined);
    const namespace = `smoke-${randomUUID().slice(0, 8)}`;
    print(`checks ${url} in the namespace ${namespace}`);
    const { kubectl = 'kubectl', bus, skip = [] } = values;
    const all = [
      ...checksOf(deployment, namespace),
      ...kubectlChecks(kubectl, reached.kubeconfig, namespace),
      ...(isDeployed ? [frontDoorCheck(deployment), busOr(deployment, namespace, bus)] : []),
      cleanup(deployment, namespace),
    ];
    const failed = await runChecks(
      all.map((check) => withSkips(check, skip)),
      print,
    );
    for (const fact of isDeployed ? UNPROVEN : []) print(`unproven ${fact}`);
    print(failed === 0 ? `the ${isDeployed ? 'deployment' : 'server'} does what was asked of it` : `${failed} failed`);
    return failed === 0 ? 0 : 1;
  } catch (error) {
    print(messageOfError(error));
    return 2;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const handleOf = (connection: ApiConnection) => connection.handle.bind(connection);

/** A certificate for the administrators' group, signed by an authority that no server knows. */
async function foreignCertificate(): Promise<NonNullable<Remote['credentials']>> {
  const authority = await newAuthority(new Date(systemClock.now()));
  return { certificate: await authority.issue({ name: 'smoke', organizations: ['system:masters'] }) };
}

/**
 * Whether functions serve the control plane, in an account or on an emulator. If it does not respond, an AWS login indicates an account.
 */
async function isInAccount({ client }: Deployment, byAws: boolean): Promise<boolean> {
  try {
    return await isServedByFunctions(client);
  } catch (error) {
    if (error instanceof StatusError) return byAws;
    throw error;
  }
}

const OPTIONS = {
  server: { type: 'string' },
  'cluster-id': { type: 'string' },
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  bus: { type: 'string' },
  kubectl: { type: 'string' },
  skip: { type: 'string', multiple: true },
} as const;

interface Values {
  readonly server?: string | undefined;
  readonly 'cluster-id'?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

async function reach(values: Values, folder: string): Promise<Reached> {
  const { server, 'cluster-id': clusterId = 'davit', kubeconfig, context } = values;
  if (kubeconfig !== undefined) return { remote: (await placeAt(kubeconfig, context)).remote, kubeconfig };
  if (server === undefined) throw new TypeError(USAGE);
  const token = await tokenOf(clusterId);
  const path = join(folder, 'kubeconfig');
  writeFileSync(path, kubeconfigOf({ name: 'smoke', server, user: { token } }), { mode: 0o600 });
  return { remote: { url: server, caBundle: '', credentials: { token: async () => token } }, kubeconfig: path };
}

/** A token for the AWS identity in the environment. It is valid for a quarter of an hour. */
async function tokenOf(clusterId: string): Promise<string> {
  const { SQSClient } = await import('@aws-sdk/client-sqs');
  const { config } = new SQSClient({});
  const [credentials, region] = await Promise.all([config.credentials(), config.region()]);
  return awsToken({ credentials, region, clusterId, now: systemClock.now() }).token;
}

function busOr({ client }: Deployment, namespace: string, bus: string | undefined): Check {
  if (bus === undefined)
    return { says: 'the bus carries an event', skipped: 'no --bus: the output BusName names it', run: async () => {} };
  const resource = { group: '', version: 'v1', resource: 'configmaps' };
  const act = () => client.create(resource, { metadata: { name: 'on-the-bus', namespace } });
  return busCheck(bus, { kind: ['ConfigMap'], namespace: [namespace] }, act);
}

const withSkips = (check: Check, words: readonly string[]): Check => {
  const word = words.find((one) => check.says.includes(one));
  return word === undefined ? check : { ...check, skipped: `--skip ${word}` };
};

if (import.meta.main) process.exitCode = await smoke(process.argv.slice(2), (line) => console.log(line));
