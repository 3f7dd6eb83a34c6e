import {
  CONTROLLER_REVISIONS,
  DAEMON_SETS,
  DEPLOYMENTS,
  REPLICA_SETS,
  STATEFUL_SETS,
} from '#lib/api/types/resources.ts';
import { type KindStrategies, strategyOf } from '../../strategy.ts';
import { controllerRevisionStrategy } from './controller-revision.ts';
import { daemonSetStrategy } from './daemon-set.ts';
import { deploymentStrategy } from './deployment.ts';
import { replicaSetStrategy } from './replica-set.ts';
import { statefulSetStrategy } from './stateful-set.ts';

/** The strategies of the group `apps`. */
export const appsStrategies: KindStrategies = {
  ...strategyOf(CONTROLLER_REVISIONS, controllerRevisionStrategy),
  ...strategyOf(DAEMON_SETS, daemonSetStrategy),
  ...strategyOf(DEPLOYMENTS, deploymentStrategy),
  ...strategyOf(REPLICA_SETS, replicaSetStrategy),
  ...strategyOf(STATEFUL_SETS, statefulSetStrategy),
};
