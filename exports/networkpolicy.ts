export {
  allows,
  evaluate,
  type Connection,
  type Decision,
  type Reason,
  type Verdict,
} from '#lib/networkpolicy/evaluate.ts';
export { PolicyIndex, type PolicyObjects } from '#lib/networkpolicy/policy-index.ts';
