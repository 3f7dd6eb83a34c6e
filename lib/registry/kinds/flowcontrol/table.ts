import type { KindStrategies } from '../../strategy.ts';
import { flowSchemaStrategy } from './flow-schema.ts';
import { priorityLevelConfigurationStrategy } from './priority-level-configuration.ts';

export const flowControlStrategies: KindStrategies = {
  'flowcontrol.apiserver.k8s.io/flowschemas': flowSchemaStrategy,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': priorityLevelConfigurationStrategy,
};
