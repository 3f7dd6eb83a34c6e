import { POD_TEMPLATES, PODS, REPLICATION_CONTROLLERS } from '#lib/api/types/resources.ts';
import { type KindStrategies, strategyOf } from '../../strategy.ts';
import { podStrategy } from './pod/strategy.ts';
import { podTemplateStrategy } from './pod-template/strategy.ts';
import { replicationControllerStrategy } from './replication-controller/strategy.ts';

/** The strategies of pods and of the core group's kinds with pod templates. */
export const workloadStrategies: KindStrategies = {
  ...strategyOf(PODS, podStrategy),
  ...strategyOf(POD_TEMPLATES, podTemplateStrategy),
  ...strategyOf(REPLICATION_CONTROLLERS, replicationControllerStrategy),
};
