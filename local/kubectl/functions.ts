import type { Command } from 'commander';
import type { FunctionState } from '#lib/sdk/invocation/function-state.ts';
import { StartFault } from '../start-fault.ts';
import { connectionOf } from './connection.ts';
import { type Kubectl, KubectlFault, kubectl } from './kubectl.ts';
import { plain, table } from './table.ts';

const HEAD = ['NAME', 'TYPE', 'FOR', 'STATE', 'MESSAGE'] as const;

/** Adds `functions`, which prints an overview of reconcilers, webhooks and aggregated APIs. */
export function functionsCommand(command: Command): void {
  command
    .command('functions')
    .description('list reconcilers, webhooks and aggregated APIs and their state')
    .option('-o, --output <format>', 'json prints one call in each line')
    .action(async ({ output }: { readonly output?: string }, self: Command) => {
      const items = await askFunctions(kubectl(connectionOf(self.optsWithGlobals())));
      const lines = items.map((item) => `${JSON.stringify(item)}\n`).join('');
      process.stdout.write(output === 'json' ? lines : functionsText(items));
    });
}

async function askFunctions(ask: Kubectl): Promise<readonly FunctionState[]> {
  try {
    const { items } = (await ask.get('/debug/davit/functions')) as { readonly items: readonly FunctionState[] };
    return items;
  } catch (error) {
    if (!(error instanceof KubectlFault && error.isNotFound)) throw error;
    throw new StartFault('the functions of this control plane are Lambda functions: the stack lists them');
  }
}

/** Prints one line for each. */
export const functionsText = (items: readonly FunctionState[]): string => table([HEAD, ...items.map(rowOf)]);

function rowOf({ name, type, for: own, serves = '', state, message = '' }: FunctionState): readonly string[] {
  const kind = own === undefined ? serves : `${own.kind} of ${own.apiVersion}`;
  return [name, type, kind, state, message].map(plain);
}
