// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { Condition, LabelSelector, ListMeta, ObjectMeta } from './meta.v1.ts';
import type { Base64, Int64 } from './scalars.ts';

/** Fields to set. */
export type ApplyConfiguration = {
  [typed]?: 'admissionregistration.v1.ApplyConfiguration';
  expression?: string;
};

/** A note in the audit log. */
export type AuditAnnotation = {
  [typed]?: 'admissionregistration.v1.AuditAnnotation';
  key: string;
  valueExpression: string;
};

/** A fault in one expression. */
export type ExpressionWarning = {
  [typed]?: 'admissionregistration.v1.ExpressionWarning';
  fieldRef: string;
  warning: string;
};

/** How a mutation is written as a JSON patch. */
export type JSONPatch = {
  [typed]?: 'admissionregistration.v1.JSONPatch';
  expression?: string;
};

/** An expression that must hold. */
export type MatchCondition = {
  [typed]?: 'admissionregistration.v1.MatchCondition';
  name: string;
  expression: string;
};

/** The requests that a policy applies to. */
export type MatchResources = {
  [typed]?: 'admissionregistration.v1.MatchResources';
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  resourceRules?: NamedRuleWithOperations[];
  excludeResourceRules?: NamedRuleWithOperations[];
  matchPolicy?: string;
};

/** Changes to requests, in CEL. It acts only through bindings. */
export type MutatingAdmissionPolicy = {
  [typed]?: 'admissionregistration.v1.MutatingAdmissionPolicy';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: MutatingAdmissionPolicySpec;
};

/** Makes a policy act, on which requests and with which parameters. */
export type MutatingAdmissionPolicyBinding = {
  [typed]?: 'admissionregistration.v1.MutatingAdmissionPolicyBinding';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: MutatingAdmissionPolicyBindingSpec;
};

/** A list of objects of kind MutatingAdmissionPolicyBinding. */
export type MutatingAdmissionPolicyBindingList = {
  [typed]?: 'admissionregistration.v1.MutatingAdmissionPolicyBindingList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: MutatingAdmissionPolicyBinding[] | null;
};

/** The policy that a binding puts to use, and for which requests. */
export type MutatingAdmissionPolicyBindingSpec = {
  [typed]?: 'admissionregistration.v1.MutatingAdmissionPolicyBindingSpec';
  policyName?: string;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
};

/** A list of objects of kind MutatingAdmissionPolicy. */
export type MutatingAdmissionPolicyList = {
  [typed]?: 'admissionregistration.v1.MutatingAdmissionPolicyList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: MutatingAdmissionPolicy[] | null;
};

/** The requests that a policy applies to, and the changes it makes. */
export type MutatingAdmissionPolicySpec = {
  [typed]?: 'admissionregistration.v1.MutatingAdmissionPolicySpec';
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  variables?: Variable[];
  mutations?: Mutation[];
  failurePolicy?: string;
  matchConditions?: MatchCondition[];
  reinvocationPolicy?: string;
};

/** A webhook that changes requests. */
export type MutatingWebhook = {
  [typed]?: 'admissionregistration.v1.MutatingWebhook';
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: RuleWithOperations[];
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  sideEffects: string | null;
  timeoutSeconds?: number;
  admissionReviewVersions: string[] | null;
  reinvocationPolicy?: string;
  matchConditions?: MatchCondition[];
};

/** Webhooks that are asked what to change in requests. */
export type MutatingWebhookConfiguration = {
  [typed]?: 'admissionregistration.v1.MutatingWebhookConfiguration';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  webhooks?: MutatingWebhook[];
};

/** A list of objects of kind MutatingWebhookConfiguration. */
export type MutatingWebhookConfigurationList = {
  [typed]?: 'admissionregistration.v1.MutatingWebhookConfigurationList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: MutatingWebhookConfiguration[] | null;
};

/** One change: patchType, and the field that goes with it. */
export type Mutation = {
  [typed]?: 'admissionregistration.v1.Mutation';
  patchType: string;
  applyConfiguration?: ApplyConfiguration;
  jsonPatch?: JSONPatch;
};

/** Operations on resources, or on single objects of them. */
export type NamedRuleWithOperations = {
  [typed]?: 'admissionregistration.v1.NamedRuleWithOperations';
  resourceNames?: string[];
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: string;
};

/** The kind of a policy's parameters. */
export type ParamKind = {
  [typed]?: 'admissionregistration.v1.ParamKind';
  apiVersion?: string;
  kind?: string;
};

/** The parameters of a binding, by name or by selector. With several, each must allow the request. */
export type ParamRef = {
  [typed]?: 'admissionregistration.v1.ParamRef';
  name?: string;
  namespace?: string;
  selector?: LabelSelector;
  parameterNotFoundAction?: string;
};

/** Resources. */
export type Rule = {
  [typed]?: 'admissionregistration.v1.Rule';
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: string;
};

/** Operations on resources. */
export type RuleWithOperations = {
  [typed]?: 'admissionregistration.v1.RuleWithOperations';
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: string;
};

/** A Service and a path. */
export type ServiceReference = {
  [typed]?: 'admissionregistration.v1.ServiceReference';
  namespace: string;
  name: string;
  path?: string;
  port?: number;
};

/** Faults in a policy's expressions. */
export type TypeChecking = {
  [typed]?: 'admissionregistration.v1.TypeChecking';
  expressionWarnings?: ExpressionWarning[];
};

/** Rules in CEL that requests must keep. It acts only through bindings. */
export type ValidatingAdmissionPolicy = {
  [typed]?: 'admissionregistration.v1.ValidatingAdmissionPolicy';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: ValidatingAdmissionPolicySpec;
  status: ValidatingAdmissionPolicyStatus;
};

/** Makes a policy act, on which requests and with which parameters. */
export type ValidatingAdmissionPolicyBinding = {
  [typed]?: 'admissionregistration.v1.ValidatingAdmissionPolicyBinding';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: ValidatingAdmissionPolicyBindingSpec;
};

/** A list of objects of kind ValidatingAdmissionPolicyBinding. */
export type ValidatingAdmissionPolicyBindingList = {
  [typed]?: 'admissionregistration.v1.ValidatingAdmissionPolicyBindingList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: ValidatingAdmissionPolicyBinding[] | null;
};

/** The policy that a binding puts to use, and for which requests. */
export type ValidatingAdmissionPolicyBindingSpec = {
  [typed]?: 'admissionregistration.v1.ValidatingAdmissionPolicyBindingSpec';
  policyName?: string;
  paramRef?: ParamRef;
  matchResources?: MatchResources;
  validationActions?: string[];
};

/** A list of objects of kind ValidatingAdmissionPolicy. */
export type ValidatingAdmissionPolicyList = {
  [typed]?: 'admissionregistration.v1.ValidatingAdmissionPolicyList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: ValidatingAdmissionPolicy[] | null;
};

/** The requests that a policy applies to, and the rules it checks. */
export type ValidatingAdmissionPolicySpec = {
  [typed]?: 'admissionregistration.v1.ValidatingAdmissionPolicySpec';
  paramKind?: ParamKind;
  matchConstraints?: MatchResources;
  validations?: Validation[];
  failurePolicy?: string;
  auditAnnotations?: AuditAnnotation[];
  matchConditions?: MatchCondition[];
  variables?: Variable[];
};

/** The last observed status of a policy. */
export type ValidatingAdmissionPolicyStatus = {
  [typed]?: 'admissionregistration.v1.ValidatingAdmissionPolicyStatus';
  observedGeneration?: Int64;
  typeChecking?: TypeChecking;
  conditions?: Condition[];
};

/** A webhook that allows requests or refuses them. */
export type ValidatingWebhook = {
  [typed]?: 'admissionregistration.v1.ValidatingWebhook';
  name: string;
  clientConfig: WebhookClientConfig;
  rules?: RuleWithOperations[];
  failurePolicy?: string;
  matchPolicy?: string;
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  sideEffects: string | null;
  timeoutSeconds?: number;
  admissionReviewVersions: string[] | null;
  matchConditions?: MatchCondition[];
};

/** Webhooks that are asked whether requests are allowed. */
export type ValidatingWebhookConfiguration = {
  [typed]?: 'admissionregistration.v1.ValidatingWebhookConfiguration';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  webhooks?: ValidatingWebhook[];
};

/** A list of objects of kind ValidatingWebhookConfiguration. */
export type ValidatingWebhookConfigurationList = {
  [typed]?: 'admissionregistration.v1.ValidatingWebhookConfigurationList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: ValidatingWebhookConfiguration[] | null;
};

/** A rule that requests must keep. */
export type Validation = {
  [typed]?: 'admissionregistration.v1.Validation';
  expression: string;
  message?: string;
  reason?: string;
  messageExpression?: string;
};

/** A value that a policy's expressions share, as variables.NAME. */
export type Variable = {
  [typed]?: 'admissionregistration.v1.Variable';
  name: string;
  expression: string;
};

/** How a webhook is reached: by url or by service. */
export type WebhookClientConfig = {
  [typed]?: 'admissionregistration.v1.WebhookClientConfig';
  url?: string;
  service?: ServiceReference;
  caBundle?: Base64;
};
