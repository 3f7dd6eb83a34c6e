// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { ListMeta, ObjectMeta } from './meta.v1.ts';
import type { Time } from './scalars.ts';

/** The seats that an exempt level lends to others; its own requests are never held back. */
export type ExemptPriorityLevelConfiguration = {
  [typed]?: 'flowcontrol.v1.ExemptPriorityLevelConfiguration';
  nominalConcurrencyShares?: number;
  lendablePercent?: number;
};

/** The property of requests that tells flows apart. */
export type FlowDistinguisherMethod = {
  [typed]?: 'flowcontrol.v1.FlowDistinguisherMethod';
  type: string;
};

/** Puts requests that fit into a priority level, and tells their flows apart. */
export type FlowSchema = {
  [typed]?: 'flowcontrol.v1.FlowSchema';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: FlowSchemaSpec;
  status: FlowSchemaStatus;
};

/** One aspect of a FlowSchema's state, as last observed. */
export type FlowSchemaCondition = {
  [typed]?: 'flowcontrol.v1.FlowSchemaCondition';
  type?: string;
  status?: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
};

/** A list of objects of kind FlowSchema. */
export type FlowSchemaList = {
  [typed]?: 'flowcontrol.v1.FlowSchemaList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: FlowSchema[] | null;
};

/** The requests of a flow schema, and their priority level. */
export type FlowSchemaSpec = {
  [typed]?: 'flowcontrol.v1.FlowSchemaSpec';
  priorityLevelConfiguration: PriorityLevelConfigurationReference;
  matchingPrecedence: number;
  distinguisherMethod?: FlowDistinguisherMethod;
  rules?: PolicyRulesWithSubjects[];
};

/** The last observed status of a FlowSchema. */
export type FlowSchemaStatus = {
  [typed]?: 'flowcontrol.v1.FlowSchemaStatus';
  conditions?: FlowSchemaCondition[];
};

/** A group. */
export type GroupSubject = {
  [typed]?: 'flowcontrol.v1.GroupSubject';
  name: string;
};

/** How a request is handled that cannot run at once: it waits or is refused. */
export type LimitResponse = {
  [typed]?: 'flowcontrol.v1.LimitResponse';
  type: string;
  queuing?: QueuingConfiguration;
};

/** The limits of a priority level. */
export type LimitedPriorityLevelConfiguration = {
  [typed]?: 'flowcontrol.v1.LimitedPriorityLevelConfiguration';
  nominalConcurrencyShares: number | null;
  limitResponse: LimitResponse;
  lendablePercent?: number;
  borrowingLimitPercent?: number;
};

/** Requests for paths; each list must fit. */
export type NonResourcePolicyRule = {
  [typed]?: 'flowcontrol.v1.NonResourcePolicyRule';
  verbs: string[] | null;
  nonResourceURLs: string[] | null;
};

/** Requests: from one of the subjects, fitting one of the rules. */
export type PolicyRulesWithSubjects = {
  [typed]?: 'flowcontrol.v1.PolicyRulesWithSubjects';
  subjects: Subject[] | null;
  resourceRules?: ResourcePolicyRule[];
  nonResourceRules?: NonResourcePolicyRule[];
};

/** A share of the server's capacity for requests. */
export type PriorityLevelConfiguration = {
  [typed]?: 'flowcontrol.v1.PriorityLevelConfiguration';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: PriorityLevelConfigurationSpec;
  status: PriorityLevelConfigurationStatus;
};

/** One aspect of a priority level's state, as last observed. */
export type PriorityLevelConfigurationCondition = {
  [typed]?: 'flowcontrol.v1.PriorityLevelConfigurationCondition';
  type?: string;
  status?: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
};

/** A list of objects of kind PriorityLevelConfiguration. */
export type PriorityLevelConfigurationList = {
  [typed]?: 'flowcontrol.v1.PriorityLevelConfigurationList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: PriorityLevelConfiguration[] | null;
};

/** Names a priority level. */
export type PriorityLevelConfigurationReference = {
  [typed]?: 'flowcontrol.v1.PriorityLevelConfigurationReference';
  name: string;
};

/** The type of a level, and the field that goes with it. */
export type PriorityLevelConfigurationSpec = {
  [typed]?: 'flowcontrol.v1.PriorityLevelConfigurationSpec';
  type: string;
  limited?: LimitedPriorityLevelConfiguration;
  exempt?: ExemptPriorityLevelConfiguration;
};

/** The last observed status of a priority level. */
export type PriorityLevelConfigurationStatus = {
  [typed]?: 'flowcontrol.v1.PriorityLevelConfigurationStatus';
  conditions?: PriorityLevelConfigurationCondition[];
};

/** Queues of requests, fair to each flow. */
export type QueuingConfiguration = {
  [typed]?: 'flowcontrol.v1.QueuingConfiguration';
  queues: number;
  handSize: number;
  queueLengthLimit: number;
};

/** Requests for resources; each list must fit. */
export type ResourcePolicyRule = {
  [typed]?: 'flowcontrol.v1.ResourcePolicyRule';
  verbs: string[] | null;
  apiGroups: string[] | null;
  resources: string[] | null;
  clusterScope?: boolean;
  namespaces: string[] | null;
};

/** A service account. */
export type ServiceAccountSubject = {
  [typed]?: 'flowcontrol.v1.ServiceAccountSubject';
  namespace: string;
  name: string;
};

/** A user, a group or a service account: kind, and the field that goes with it. */
export type Subject = {
  [typed]?: 'flowcontrol.v1.Subject';
  kind: string;
  user?: UserSubject;
  group?: GroupSubject;
  serviceAccount?: ServiceAccountSubject;
};

/** A user. */
export type UserSubject = {
  [typed]?: 'flowcontrol.v1.UserSubject';
  name: string;
};
