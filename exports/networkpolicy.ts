export {
  allows,
  evaluate,
  type Connection,
  type Decision,
  type Reason,
  type Verdict,
} from '#lib/networkpolicy/evaluate.ts';
export { PolicyIndex, type PolicyNamespace, type PolicyObjects } from '#lib/networkpolicy/policy-index.ts';
export type { PolicyPod } from '#lib/networkpolicy/network-pod.ts';
export type { PolicyMetadata, PolicySource } from '#lib/networkpolicy/policy.ts';
