import {
  MUTATING_ADMISSION_POLICIES,
  MUTATING_ADMISSION_POLICY_BINDINGS,
  MUTATING_WEBHOOK_CONFIGURATIONS,
  VALIDATING_ADMISSION_POLICIES,
  VALIDATING_ADMISSION_POLICY_BINDINGS,
  VALIDATING_WEBHOOK_CONFIGURATIONS,
} from '#lib/api/types/resources.ts';
import { type KindStrategies, strategyOf } from '../../strategy.ts';
import { mutatingAdmissionPolicyStrategy, validatingAdmissionPolicyStrategy } from './policy.ts';
import { mutatingAdmissionPolicyBindingStrategy, validatingAdmissionPolicyBindingStrategy } from './policy-binding.ts';
import { mutatingWebhookConfigurationStrategy, validatingWebhookConfigurationStrategy } from './webhooks.ts';

/** The strategies of the group `admissionregistration.k8s.io`. */
export const admissionRegistrationStrategies: KindStrategies = {
  ...strategyOf(MUTATING_ADMISSION_POLICIES, mutatingAdmissionPolicyStrategy),
  ...strategyOf(MUTATING_ADMISSION_POLICY_BINDINGS, mutatingAdmissionPolicyBindingStrategy),
  ...strategyOf(MUTATING_WEBHOOK_CONFIGURATIONS, mutatingWebhookConfigurationStrategy),
  ...strategyOf(VALIDATING_ADMISSION_POLICIES, validatingAdmissionPolicyStrategy),
  ...strategyOf(VALIDATING_ADMISSION_POLICY_BINDINGS, validatingAdmissionPolicyBindingStrategy),
  ...strategyOf(VALIDATING_WEBHOOK_CONFIGURATIONS, validatingWebhookConfigurationStrategy),
};
