import { HORIZONTAL_POD_AUTOSCALERS } from '#lib/api/types/resources.ts';
import { type KindStrategies, strategyOf } from '../../strategy.ts';
import { horizontalPodAutoscalerStrategy } from './horizontal-pod-autoscaler.ts';

/** The strategies of the group `autoscaling`. */
export const autoscalingStrategies: KindStrategies = {
  ...strategyOf(HORIZONTAL_POD_AUTOSCALERS, horizontalPodAutoscalerStrategy),
};
