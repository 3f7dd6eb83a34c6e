import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfigOf } from '#lib/helpers/clientcmd/new-kubeconfig.ts';
import { newAuthority } from '#local/certs.ts';
import { awsToken, STS_NAMES, startSts } from '#test/support/lambda/sts.ts';
import { deploy } from './deploy.ts';
import type { Emulator, EnvironmentOf } from './emulator.ts';
import { type Behind, startFront } from './front.ts';
import { roleOf } from './functions.ts';

/** Starts an emulator. Returns the reason if it is not available. */
export type StartEmulator = (ofFunctions: EnvironmentOf) => Promise<Emulator | { missing: string }>;

/** The length of watches in seconds. Emulators buffer responses, so events only arrive at the end. */
const WATCH_SECONDS = 3;

/** The host and path prefix of an emulator's function URL or gateway. */
function doorOf({ host, pathname }: URL): Omit<Behind, 'endpoint'> {
  const [id, service] = host.split('.');
  return service === 'execute-api' ? { host: 'localhost', gateway: `/_aws/execute-api/${id}${pathname}` } : { host };
}

/**
 * The stack of an assembly, deployed to an emulator, with a kubeconfig for it. `more` adds to the environment of its functions. Rejects if
 * the emulator is not available.
 */
export async function startPlatform(start: StartEmulator, assembly: string, more: EnvironmentOf = () => ({})) {
  const now = new Date();
  const folder = mkdtempSync(join(tmpdir(), 'davit-cloud-'));
  const authority = await newAuthority(now);
  const identity = await authority.issue({ name: 'front' }, STS_NAMES);
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, authority.certificate);
  const sts = await startSts(identity);
  const front = await startFront(identity);
  const emulator = await start((endpoint) => ({
    AWS_ENDPOINT_URL: endpoint,
    AWS_ENDPOINT_URL_STS: sts.url,
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_LAMBDA_LOG_GROUP_NAME: 'davit',
    NODE_EXTRA_CA_CERTS: ca,
    DAVIT_API_URL: front.url,
    DAVIT_WATCH_SECONDS: String(WATCH_SECONDS),
    ...more(endpoint),
  }));
  if ('missing' in emulator) {
    await Promise.all([sts.close(), front.close()]);
    throw new Error(emulator.missing);
  }
  const outputs = await deploy(assembly, emulator.endpoint);
  front.leadsTo({ endpoint: emulator.endpoint, ...doorOf(new URL(outputs['Endpoint'] ?? '')) });
  const sites = await roleOf(emulator.endpoint, 'davit-sites-');
  if (sites !== undefined) sts.isOf(sites);
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(
    kubeconfig,
    kubeconfigOf({
      name: 'davit',
      server: front.url,
      authority: authority.certificate,
      user: { token: awsToken(now) },
    }),
  );
  return {
    assembly,
    endpoint: emulator.endpoint,
    outputs,
    kubeconfig,
    async [Symbol.asyncDispose]() {
      await front.close();
      await emulator.stop();
      await sts.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
