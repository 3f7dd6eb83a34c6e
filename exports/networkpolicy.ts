export {
  allows,
  type Connection,
  type Decision,
  evaluate,
  type Reason,
  type Verdict,
} from '#lib/networkpolicy/evaluate.ts';
export type { PolicyPod } from '#lib/networkpolicy/network-pod.ts';
export type { PolicyMetadata, PolicySource } from '#lib/networkpolicy/policy.ts';
export { PolicyIndex, type PolicyNamespace, type PolicyObjects } from '#lib/networkpolicy/policy-index.ts';
