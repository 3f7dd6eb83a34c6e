export {
  allows,
  type Connection,
  type Decision,
  evaluate,
  type Reason,
  type Verdict,
} from '#lib/node/networkpolicy/evaluate.ts';
export type { PolicyPod } from '#lib/node/networkpolicy/network-pod.ts';
export type { PolicyMetadata, PolicySource } from '#lib/node/networkpolicy/policy.ts';
export { PolicyIndex, type PolicyNamespace, type PolicyObjects } from '#lib/node/networkpolicy/policy-index.ts';
