import { type SchedulerConfiguration, schedulerConfiguration } from '#lib/scheduler/apis/config/configuration.ts';
import type { CostModel } from './cost-model.ts';
import { POSEIDON } from './profile-name.ts';

/** The plugins with preferences that have a PreScore step. */
const PRE_SCORED = ['InterPodAffinity', 'NodeAffinity', 'TaintToleration'];

/** The configuration of the scheduler: upstream's filters, the preferences of the model as scores, and no preemption. */
export const poseidonConfiguration = ({ preferences }: CostModel): SchedulerConfiguration =>
  schedulerConfiguration({
    apiVersion: 'kubescheduler.config.k8s.io/v1',
    kind: 'KubeSchedulerConfiguration',
    profiles: [
      {
        schedulerName: POSEIDON,
        plugins: {
          postFilter: { disabled: [{ name: '*' }] },
          multiPoint: { disabled: [{ name: 'DefaultPreemption' }] },
          preScore: {
            disabled: [{ name: '*' }],
            enabled: PRE_SCORED.filter((name) => name in preferences).map((name) => ({ name })),
          },
          score: {
            disabled: [{ name: '*' }],
            enabled: Object.entries(preferences).map(([name, weight]) => ({ name, weight })),
          },
        },
      },
    ],
  });
