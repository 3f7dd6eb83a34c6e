import { type Environment, environment } from '../environment.ts';
import { optional } from '../stdlib/optional.ts';
import { standard } from '../stdlib/standard.ts';
import { twoVariables } from '../stdlib/two-variables.ts';
import { kubernetesEstimator, kubernetesLibraries } from './kubernetes.ts';

let shared: Environment | undefined;

/** The language and Kubernetes' libraries; made once, when the first expression is compiled. */
export function baseEnvironment(): Environment {
  return (shared ??= environment({
    libraries: [standard, optional, twoVariables, ...kubernetesLibraries],
    estimator: kubernetesEstimator(),
  }));
}
