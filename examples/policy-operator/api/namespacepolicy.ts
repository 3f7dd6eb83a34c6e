import type { Kind, KubernetesObject } from '@davit-dev/davit/controller';

export interface NamespacePolicy extends KubernetesObject {
  readonly apiVersion: 'policies.example.com/v1';
  readonly kind: 'NamespacePolicy';
  readonly spec: {
    /** Prefixes of images that pods may run, such as registry.example.com/team. */
    readonly allowedRegistries: readonly string[];
    /** Limits of a ResourceQuota in each namespace. Without them there is no quota. */
    readonly hard?: Readonly<Record<string, number | string>>;
  };
  readonly status?: {
    /** How many namespaces name this policy. */
    readonly namespaces?: number;
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly reason?: string;
      readonly message?: string;
      readonly observedGeneration?: number;
      readonly lastTransitionTime?: string;
    }[];
  };
}
export const NAMESPACE_POLICY: Kind<NamespacePolicy> = {
  apiVersion: 'policies.example.com/v1',
  kind: 'NamespacePolicy',
};
