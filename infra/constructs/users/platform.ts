import type { Stack } from 'aws-cdk-lib';
import type { ScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import type { Context } from '../../context.ts';
import type { Api } from '../api.ts';
import type { PlatformFunction } from '../platform-function.ts';
import type { Queues } from '../queues.ts';
import type { Reconcilers } from '../reconcilers.ts';
import type { Scheduler } from '../scheduler.ts';
import type { Users } from './users.ts';

/** The stack of a control plane. The constructs of users extend it. */
export interface Platform extends Stack {
  readonly context: Context;
  readonly api: Pick<Api, 'endpoint' | 'role'>;
  readonly queues: Queues;
  readonly schedules: ScheduleGroup;
  readonly doorbell: PlatformFunction;
  readonly reconcilers: Reconcilers;
  /** Undefined if another scheduler places pods. */
  readonly scheduler: Scheduler | undefined;
  readonly users: Users;
  /** Makes the platform read new declarations after the function is deployed. */
  declare(made: PlatformFunction): void;
}
