import { FLOW_SCHEMAS, PRIORITY_LEVEL_CONFIGURATIONS } from '#lib/api/types/resources.ts';
import { type KindStrategies, strategyOf } from '../../strategy.ts';
import { flowSchemaStrategy } from './flow-schema.ts';
import { priorityLevelConfigurationStrategy } from './priority-level-configuration.ts';

/** The strategies of the group `flowcontrol.apiserver.k8s.io`. */
export const flowControlStrategies: KindStrategies = {
  ...strategyOf(FLOW_SCHEMAS, flowSchemaStrategy),
  ...strategyOf(PRIORITY_LEVEL_CONFIGURATIONS, priorityLevelConfigurationStrategy),
};
