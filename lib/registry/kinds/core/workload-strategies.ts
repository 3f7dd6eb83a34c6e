import type { KindStrategies } from '../../strategy.ts';
import { podStrategy } from './pod/strategy.ts';
import { podTemplateStrategy } from './pod-template/strategy.ts';
import { replicationControllerStrategy } from './replication-controller/strategy.ts';

export const podStrategies: KindStrategies = {
  '/pods': podStrategy,
  '/podtemplates': podTemplateStrategy,
  '/replicationcontrollers': replicationControllerStrategy,
};
