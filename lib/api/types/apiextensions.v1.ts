// Written by `npm run generate`.
import type { Json, typed } from '#lib/machinery/json-value.ts';
import type { ListMeta, ObjectMeta } from './meta.v1.ts';
import type { Base64, Int64, Time } from './scalars.ts';

/** A column that tools show. */
export type CustomResourceColumnDefinition = {
  [typed]?: 'apiextensions.v1.CustomResourceColumnDefinition';
  name: string;
  type: string;
  format?: string;
  description?: string;
  priority?: number;
  jsonPath: string;
};

/** How objects of one version are shown in another. */
export type CustomResourceConversion = {
  [typed]?: 'apiextensions.v1.CustomResourceConversion';
  strategy: string;
  webhook?: WebhookConversion;
};

/** Adds a kind of object to the API. Its name is PLURAL.GROUP. */
export type CustomResourceDefinition = {
  [typed]?: 'apiextensions.v1.CustomResourceDefinition';
  kind?: string;
  apiVersion?: string;
  metadata: ObjectMeta;
  spec: CustomResourceDefinitionSpec;
  status: CustomResourceDefinitionStatus;
};

/** One aspect of a definition's state, as last observed. */
export type CustomResourceDefinitionCondition = {
  [typed]?: 'apiextensions.v1.CustomResourceDefinitionCondition';
  type: string;
  status: string;
  lastTransitionTime: Time | null;
  reason?: string;
  message?: string;
  observedGeneration?: Int64;
};

/** A list of objects of kind CustomResourceDefinition. */
export type CustomResourceDefinitionList = {
  [typed]?: 'apiextensions.v1.CustomResourceDefinitionList';
  kind?: string;
  apiVersion?: string;
  metadata: ListMeta;
  items: CustomResourceDefinition[] | null;
};

/** The names of a kind and its resource. */
export type CustomResourceDefinitionNames = {
  [typed]?: 'apiextensions.v1.CustomResourceDefinitionNames';
  plural: string;
  singular?: string;
  shortNames?: string[];
  kind: string;
  listKind?: string;
  categories?: string[];
};

/** The kind: its names, its scope, its versions. */
export type CustomResourceDefinitionSpec = {
  [typed]?: 'apiextensions.v1.CustomResourceDefinitionSpec';
  group: string;
  names: CustomResourceDefinitionNames;
  scope: string;
  versions: CustomResourceDefinitionVersion[] | null;
  conversion?: CustomResourceConversion;
  preserveUnknownFields?: boolean;
};

/** The last observed status of a definition. */
export type CustomResourceDefinitionStatus = {
  [typed]?: 'apiextensions.v1.CustomResourceDefinitionStatus';
  conditions: CustomResourceDefinitionCondition[] | null;
  acceptedNames: CustomResourceDefinitionNames;
  storedVersions: string[] | null;
  observedGeneration?: Int64;
};

/** One version of the kind. */
export type CustomResourceDefinitionVersion = {
  [typed]?: 'apiextensions.v1.CustomResourceDefinitionVersion';
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  schema?: CustomResourceValidation;
  subresources?: CustomResourceSubresources;
  additionalPrinterColumns?: CustomResourceColumnDefinition[];
  selectableFields?: SelectableField[];
};

/** The paths at which the scale subresource finds its values. */
export type CustomResourceSubresourceScale = {
  [typed]?: 'apiextensions.v1.CustomResourceSubresourceScale';
  specReplicasPath: string;
  statusReplicasPath: string;
  labelSelectorPath?: string;
};

/** Turns the subresource status on; it has no settings. */
export type CustomResourceSubresourceStatus = {
  [typed]?: 'apiextensions.v1.CustomResourceSubresourceStatus';
};

/** The subresources that a version of a definition serves: status and scale. */
export type CustomResourceSubresources = {
  [typed]?: 'apiextensions.v1.CustomResourceSubresources';
  status?: CustomResourceSubresourceStatus;
  scale?: CustomResourceSubresourceScale;
};

/** The schema of a custom resource. */
export type CustomResourceValidation = {
  [typed]?: 'apiextensions.v1.CustomResourceValidation';
  openAPIV3Schema?: JSONSchemaProps;
};

/** A link to documentation outside the schema. */
export type ExternalDocumentation = {
  [typed]?: 'apiextensions.v1.ExternalDocumentation';
  description?: string;
  url?: string;
};

/** A JSON schema as OpenAPI v3 has it. */
export type JSONSchemaProps = {
  [typed]?: 'apiextensions.v1.JSONSchemaProps';
  id?: string;
  $schema?: string;
  $ref?: string;
  description?: string;
  type?: string;
  format?: string;
  title?: string;
  default?: Json;
  maximum?: number;
  exclusiveMaximum?: boolean;
  minimum?: number;
  exclusiveMinimum?: boolean;
  maxLength?: Int64;
  minLength?: Int64;
  pattern?: string;
  maxItems?: Int64;
  minItems?: Int64;
  uniqueItems?: boolean;
  multipleOf?: number;
  enum?: Json[];
  maxProperties?: Int64;
  minProperties?: Int64;
  required?: string[];
  items?: JSONSchemaProps | JSONSchemaProps[] | null;
  allOf?: JSONSchemaProps[];
  oneOf?: JSONSchemaProps[];
  anyOf?: JSONSchemaProps[];
  not?: JSONSchemaProps;
  properties?: Record<string, JSONSchemaProps>;
  additionalProperties?: JSONSchemaProps | boolean;
  patternProperties?: Record<string, JSONSchemaProps>;
  dependencies?: Record<string, JSONSchemaProps | string[] | null>;
  additionalItems?: JSONSchemaProps | boolean;
  definitions?: Record<string, JSONSchemaProps>;
  externalDocs?: ExternalDocumentation;
  example?: Json;
  nullable?: boolean;
  'x-kubernetes-preserve-unknown-fields'?: boolean;
  'x-kubernetes-embedded-resource'?: boolean;
  'x-kubernetes-int-or-string'?: boolean;
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-list-type'?: string;
  'x-kubernetes-map-type'?: string;
  'x-kubernetes-validations'?: ValidationRule[];
};

/** A field that field selectors may use. */
export type SelectableField = {
  [typed]?: 'apiextensions.v1.SelectableField';
  jsonPath: string;
};

/** A Service and a path. */
export type ServiceReference = {
  [typed]?: 'apiextensions.v1.ServiceReference';
  namespace: string;
  name: string;
  path?: string;
  port?: number;
};

/** A rule in CEL that must hold. */
export type ValidationRule = {
  [typed]?: 'apiextensions.v1.ValidationRule';
  rule: string;
  message?: string;
  messageExpression?: string;
  reason?: string;
  fieldPath?: string;
  optionalOldSelf?: boolean;
};

/** How a webhook is reached: by url or by service. */
export type WebhookClientConfig = {
  [typed]?: 'apiextensions.v1.WebhookClientConfig';
  url?: string;
  service?: ServiceReference;
  caBundle?: Base64;
};

/** A webhook that converts. */
export type WebhookConversion = {
  [typed]?: 'apiextensions.v1.WebhookConversion';
  clientConfig?: WebhookClientConfig;
  conversionReviewVersions: string[] | null;
};
