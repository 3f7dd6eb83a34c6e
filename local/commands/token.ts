import { type Command, InvalidArgumentError } from 'commander';
import { systemClock } from '#adapters/clock.ts';
import { awsToken } from '#lib/server/authentication/aws/presign.ts';
import { isClusterId } from '#lib/server/authentication/aws/presigned-url.ts';
import { messageOf, StartFault } from '../start-fault.ts';
import { execCredential, execVersion } from './exec-credential.ts';

interface TokenFlags {
  readonly clusterId: string;
  readonly region?: string;
}

/** Adds `token`: a client-go credential plugin for a control plane in an account. */
export function tokenCommand(command: Command): void {
  command
    .command('token')
    .description('print an ExecCredential: a token of your AWS identity for one control plane')
    .option('--cluster-id <name>', 'the cluster id that the token is valid for', clusterId, 'davit')
    .option('--region <name>', 'the region of STS; default: that of your profile')
    .action(async (flags: TokenFlags) => void process.stdout.write(await printed(flags, process.env)));
}

/** A cluster id, which must be valid as a header's value and as a single shell word. Throws InvalidArgumentError. */
export function clusterId(text: string): string {
  if (!isClusterId(text)) throw new InvalidArgumentError('An id is letters, digits, dots, dashes and underscores.');
  return text;
}

/** Throws StartFault if no user is logged in. */
async function printed(flags: TokenFlags, env: NodeJS.ProcessEnv): Promise<string> {
  const version = execVersion(env['KUBERNETES_EXEC_INFO']);
  // The smallest client that supports the SDK's whole credential chain of profiles, roles and SSO.
  const { SchedulerClient } = await import('@aws-sdk/client-scheduler');
  const client = new SchedulerClient(flags.region === undefined ? {} : { region: flags.region });
  try {
    const [credentials, region] = await Promise.all([client.config.credentials(), client.config.region()]);
    return execCredential(
      version,
      awsToken({ credentials, region, clusterId: flags.clusterId, now: systemClock.now() }),
    );
  } catch (error) {
    throw new StartFault(`no token: ${messageOf(error)}`);
  } finally {
    client.destroy();
  }
}
