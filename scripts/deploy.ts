import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { type Context, ContextError, parseContext } from '../infra/context.ts';
import { readArguments } from './deploy/arguments.ts';
import { reconcilersOf } from './deploy/deployed-reconcilers.ts';
import { type Quota, quotaFault } from './deploy/quota.ts';
import { reconcileText } from './deploy/reconcile-price.ts';
import { NO_REGION, regionOf } from './deploy/region.ts';

const CDK = join(import.meta.dirname, '../node_modules/.bin/cdk');

/**
 * Prints the problems that would interrupt a deployment, or the cost of new reconciler code, and then deploys. Resolves with the exit code.
 */
async function main(args: readonly string[]): Promise<number> {
  const { context: given, profile } = readArguments(args);
  if (profile !== undefined) process.env['AWS_PROFILE'] = profile;
  const region = await regionOf(process.env, async () => new LambdaClient({}).config.region());
  if (region === undefined) return refuse(NO_REGION);
  process.env['AWS_REGION'] = region; // the SDK reads only this variable
  try {
    const context = parseContext(given);
    const fault = await concurrencyFault(context);
    if (fault !== undefined) return refuse(fault);
    for (const reconciler of reconcilersOf(context)) console.log(reconcileText(reconciler));
  } catch (error) {
    if (error instanceof ContextError || error instanceof AccountError) return refuse(error.message);
    throw error;
  }
  return spawnSync(CDK, ['deploy', ...args], { stdio: 'inherit' }).status ?? 1;
}

function refuse(line: string): number {
  console.error(line);
  return 1;
}

/** The account did not respond. The message is one line. */
class AccountError extends Error {
  override readonly name = 'AccountError';
}

/** Only these front doors reserve concurrency. */
async function concurrencyFault({ frontDoor, reservedConcurrency }: Context): Promise<string | undefined> {
  if (frontDoor !== 'function-url' && frontDoor !== 'rest') return undefined;
  return quotaFault(await accountQuota(), reservedConcurrency);
}

/** Rejects with an AccountError if the account does not respond. */
async function accountQuota(): Promise<Quota> {
  try {
    const { AccountLimit: limit } = await new LambdaClient({}).send(new GetAccountSettingsCommand({}));
    return { all: limit?.ConcurrentExecutions ?? 0 };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const [reason] = error.message.split('\n');
    throw new AccountError(`the account does not tell its quota of functions (lambda:GetAccountSettings): ${reason}`, {
      cause: error,
    });
  }
}

process.exitCode = await main(process.argv.slice(2));
