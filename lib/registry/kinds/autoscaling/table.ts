import type { KindStrategies } from '../../strategy.ts';
import { horizontalPodAutoscalerStrategy } from './horizontal-pod-autoscaler.ts';

export const autoscalingStrategies: KindStrategies = {
  'autoscaling/horizontalpodautoscalers': horizontalPodAutoscalerStrategy,
};
