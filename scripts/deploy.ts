import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { ContextError, parseContext, type Context } from '../infra/context.ts';
import { readArguments } from './deploy/arguments.ts';
import { quotaFault, type Quota } from './deploy/quota.ts';

const CDK = join(import.meta.dirname, '../node_modules/.bin/cdk');

/** Says what would fail in the middle of a deployment, then deploys. Resolves with the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const { context: given, profile } = readArguments(args);
  if (profile !== undefined) process.env['AWS_PROFILE'] = profile;
  try {
    const fault = await concurrencyFault(parseContext(given));
    if (fault !== undefined) throw new ContextError(fault);
  } catch (error) {
    if (!(error instanceof ContextError)) throw error;
    console.error(error.message);
    return 1;
  }
  return spawnSync(CDK, ['deploy', ...args], { stdio: 'inherit' }).status ?? 1;
}

/** Only these doors reserve environments. */
async function concurrencyFault({ frontDoor, reservedConcurrency }: Context): Promise<string | undefined> {
  if (frontDoor !== 'function-url' && frontDoor !== 'rest') return undefined;
  return quotaFault(await accountQuota(), reservedConcurrency);
}

async function accountQuota(): Promise<Quota> {
  const { AccountLimit: limit } = await new LambdaClient({}).send(new GetAccountSettingsCommand({}));
  return { all: limit?.ConcurrentExecutions ?? 0 };
}

process.exitCode = await main(process.argv.slice(2));
