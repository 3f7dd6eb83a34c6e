import { defined } from '#lib/machinery/defined.ts';
import type { CostEstimator } from '../cost/estimate.ts';
import type { Library } from '../functions/library.ts';
import { authz } from './authorizer.ts';
import { callCost } from './call-cost.ts';
import { callEstimate } from './call-estimate.ts';
import { cidr } from './cidr.ts';
import { extLists } from './ext-lists.ts';
import { formats } from './format.ts';
import { ip } from './ip.ts';
import { lists } from './lists.ts';
import { quantities } from './quantity.ts';
import { regex } from './regex.ts';
import { semvers } from './semvers.ts';
import { sets } from './sets.ts';
import { strings } from './strings.ts';
import { urls } from './urls.ts';

/** The libraries of every expression in Kubernetes 1.36; upstream: apiserver/pkg/cel/environment/base.go. */
export const kubernetesLibraries: readonly Library[] = [
  urls,
  regex,
  lists,
  authz,
  quantities,
  strings,
  sets,
  ip,
  cidr,
  formats,
  semvers,
  extLists,
];

/** Returns upstream's costs of these libraries; `sizes` returns a variable's size according to its schema. */
export function kubernetesEstimator(sizes?: CostEstimator['estimateSize']): CostEstimator {
  const estimator: CostEstimator = {
    ...defined({ estimateSize: sizes }),
    estimateCall: (name, overloadId, target, args) => callEstimate(estimator, name, overloadId, target, args),
    callCost,
  };
  return estimator;
}
