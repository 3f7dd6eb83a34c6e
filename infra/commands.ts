import { Lazy } from 'aws-cdk-lib';
import type { EventBus } from 'aws-cdk-lib/aws-events';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { runInstalled } from '#lib/machinery/package-name.ts';
import type { Queues } from './constructs/queues.ts';
import type { Store } from './constructs/store.ts';
import type { Context } from './context.ts';

const DAVIT = runInstalled('davit');

/** The parts of the stack that the commands operate on. */
interface Deployed {
  readonly context: Context;
  readonly queues: Queues;
  /** Read when the construct tree is complete. */
  readonly logGroups: readonly ILogGroup[];
}

interface Command {
  readonly what: string;
  readonly command: string;
}

/** The `davit` commands for users to copy, with the names of this deployment filled in. */
export function commandsOf(
  deployed: Deployed,
  { store, bus }: { readonly store: Store; readonly bus: EventBus },
): Readonly<Record<'Invocations' | 'Redrive' | 'Replay' | 'ReplayEvents', Command>> {
  const { queues, context } = deployed;
  const groups = Lazy.string({ produce: () => deployed.logGroups.map(({ logGroupName }) => logGroupName).join(' ') });
  const source = `--table ${store.table.tableName} --kms-key ${store.key.keyArn} --cluster-id ${context.clusterId}`;
  return {
    Invocations: {
      what: 'what reconcilers and webhooks did; --failed --logs says why',
      command: `kubectl davit invocations --log-group ${groups}`,
    },
    Redrive: {
      what: 'try again what reconcilers gave up',
      command: `${DAVIT} redrive --queue-url ${queues.dead.queueUrl} --to ${queues.requests.queueUrl}`,
    },
    Replay: {
      what: 'have a built-in reconciler look at an object once more: put its name and NAMESPACE/NAME behind',
      command: `${DAVIT} replay --queue-url ${queues.requests.queueUrl}`,
    },
    ReplayEvents: {
      what: 'publish events again: put --from TIME, or --letters, behind',
      command: `${DAVIT} events replay --bus ${bus.eventBusName} ${source}`,
    },
  };
}
