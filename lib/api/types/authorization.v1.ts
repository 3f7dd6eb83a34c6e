// Written by `npm run generate`.
import type { typed } from '#lib/machinery/json-value.ts';
import type { FieldSelectorRequirement, LabelSelectorRequirement, ObjectMeta } from './meta.v1.ts';

/** A field selector: as a text or as conditions. */
export type FieldSelectorAttributes = {
  [typed]?: 'authorization.v1.FieldSelectorAttributes';
  rawSelector?: string;
  requirements?: FieldSelectorRequirement[];
};

/** A label selector: as a text or as conditions. */
export type LabelSelectorAttributes = {
  [typed]?: 'authorization.v1.LabelSelectorAttributes';
  rawSelector?: string;
  requirements?: LabelSelectorRequirement[];
};

/** Asks whether a user may do something in one namespace. It is answered, not stored. */
export type LocalSubjectAccessReview = {
  [typed]?: 'authorization.v1.LocalSubjectAccessReview';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: SubjectAccessReviewSpec;
  status: SubjectAccessReviewStatus;
};

/** A verb, and a path of the server that is no resource. */
export type NonResourceAttributes = {
  [typed]?: 'authorization.v1.NonResourceAttributes';
  path?: string;
  verb?: string;
};

/** Verbs that are allowed on paths. */
export type NonResourceRule = {
  [typed]?: 'authorization.v1.NonResourceRule';
  verbs: string[] | null;
  nonResourceURLs?: string[];
};

/** A verb, and the resource that it is meant for. */
export type ResourceAttributes = {
  [typed]?: 'authorization.v1.ResourceAttributes';
  namespace?: string;
  verb?: string;
  group?: string;
  version?: string;
  resource?: string;
  subresource?: string;
  name?: string;
  fieldSelector?: FieldSelectorAttributes;
  labelSelector?: LabelSelectorAttributes;
};

/** Verbs that are allowed on resources. */
export type ResourceRule = {
  [typed]?: 'authorization.v1.ResourceRule';
  verbs: string[] | null;
  apiGroups?: string[];
  resources?: string[];
  resourceNames?: string[];
};

/** Asks whether the client itself may do something. It is answered, not stored. */
export type SelfSubjectAccessReview = {
  [typed]?: 'authorization.v1.SelfSubjectAccessReview';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: SelfSubjectAccessReviewSpec;
  status: SubjectAccessReviewStatus;
};

/** The request: resourceAttributes or nonResourceAttributes. */
export type SelfSubjectAccessReviewSpec = {
  [typed]?: 'authorization.v1.SelfSubjectAccessReviewSpec';
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
};

/** Asks what the client may do in a namespace. It is answered, not stored, and made for display only. */
export type SelfSubjectRulesReview = {
  [typed]?: 'authorization.v1.SelfSubjectRulesReview';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: SelfSubjectRulesReviewSpec;
  status: SubjectRulesReviewStatus;
};

/** The namespace whose rules are listed. */
export type SelfSubjectRulesReviewSpec = {
  [typed]?: 'authorization.v1.SelfSubjectRulesReviewSpec';
  namespace?: string;
};

/** Asks whether a user may do something. It is answered, not stored. */
export type SubjectAccessReview = {
  [typed]?: 'authorization.v1.SubjectAccessReview';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: SubjectAccessReviewSpec;
  status: SubjectAccessReviewStatus;
};

/** The user and the request: resourceAttributes or nonResourceAttributes. */
export type SubjectAccessReviewSpec = {
  [typed]?: 'authorization.v1.SubjectAccessReviewSpec';
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
  user?: string;
  groups?: string[];
  extra?: Record<string, string[] | null>;
  uid?: string;
};

/** Whether something is allowed, and why. */
export type SubjectAccessReviewStatus = {
  [typed]?: 'authorization.v1.SubjectAccessReviewStatus';
  allowed: boolean;
  denied?: boolean;
  reason?: string;
  evaluationError?: string;
};

/** The actions that a user may perform. Order means nothing, and rules can repeat. */
export type SubjectRulesReviewStatus = {
  [typed]?: 'authorization.v1.SubjectRulesReviewStatus';
  resourceRules: ResourceRule[] | null;
  nonResourceRules: NonResourceRule[] | null;
  incomplete: boolean;
  evaluationError?: string;
};
