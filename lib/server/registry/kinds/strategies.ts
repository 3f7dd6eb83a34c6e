import type { KindStrategies } from '../strategy.ts';
import { admissionRegistrationStrategies } from './admissionregistration/table.ts';
import { apiRegistrationStrategies } from './apiregistration/table.ts';
import { appsStrategies } from './apps/strategies.ts';
import { autoscalingStrategies } from './autoscaling/table.ts';
import { batchStrategies } from './batch/strategies.ts';
import { certificatesStrategies } from './certificates/table.ts';
import { coordinationStrategies } from './coordination/table.ts';
import { coreStrategies } from './core/table.ts';
import { workloadStrategies } from './core/workload-strategies.ts';
import { discoveryStrategies } from './discovery/table.ts';
import { eventsStrategies } from './events/table.ts';
import { flowControlStrategies } from './flowcontrol/table.ts';
import { networkingStrategies } from './networking/table.ts';
import { nodeStrategies } from './node/table.ts';
import { policyStrategies } from './policy/table.ts';
import { rbacStrategies } from './rbac/table.ts';
import { resourceStrategies } from './resource/table.ts';
import { schedulingStrategies } from './scheduling/table.ts';
import { storageStrategies } from './storage/table.ts';

/**
 * The strategies of built-in kinds, keyed by `group/resource`. Kinds not listed here have only the generic behaviour. The strategy of
 * CustomResourceDefinitions is in a higher module.
 */
export const STRATEGIES: KindStrategies = {
  ...coreStrategies,
  ...workloadStrategies,
  ...appsStrategies,
  ...batchStrategies,
  ...networkingStrategies,
  ...rbacStrategies,
  ...coordinationStrategies,
  ...nodeStrategies,
  ...policyStrategies,
  ...schedulingStrategies,
  ...storageStrategies,
  ...autoscalingStrategies,
  ...discoveryStrategies,
  ...admissionRegistrationStrategies,
  ...apiRegistrationStrategies,
  ...flowControlStrategies,
  ...certificatesStrategies,
  ...resourceStrategies,
  ...eventsStrategies,
};
