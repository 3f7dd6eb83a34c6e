import { COST_MODELS, type CostModelName } from '#lib/poseidon/cost-models/cost-models.ts';
import { PoseidonMetrics } from '#lib/poseidon/metrics.ts';
import { poseidonConfiguration } from '#lib/poseidon/profile.ts';
import { POSEIDON } from '#lib/poseidon/profile-name.ts';
import { Rounds } from '#lib/poseidon/rounds.ts';
import { POSEIDON_USER } from '#lib/poseidon/user.ts';
import { RunningScheduler, type RunningSchedulerOptions } from './running-scheduler.ts';

/** The scheduler of this process for pods with `schedulerName: poseidon`. */
export function runningPoseidon(
  costModel: CostModelName,
  ports: Pick<RunningSchedulerOptions, 'clock' | 'channels' | 'reportFault'>,
): RunningScheduler {
  const model = COST_MODELS[costModel];
  const metrics = new PoseidonMetrics();
  return new RunningScheduler({
    ...ports,
    configuration: poseidonConfiguration(model),
    other: { name: POSEIDON, user: POSEIDON_USER, strategy: new Rounds({ model, metrics }), metrics },
  });
}
