import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';
import type { Context } from '../context.ts';

/** Percentages of the monthly budget that trigger a notification, for actual and forecast costs. */
const THRESHOLDS = [
  { notificationType: 'ACTUAL', threshold: 50 },
  { notificationType: 'ACTUAL', threshold: 100 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;

/**
 * A monthly budget in dollars for the whole account. A filter by tag would match nothing until an administrator activates the tag for
 * billing. The budget is free, and only sends notifications.
 */
export class Budget extends Construct {
  constructor(scope: Construct, id: string, { monthlyBudget, budgetEmail, alarmTopic }: Context) {
    super(scope, id);
    if (monthlyBudget === undefined) return;
    const subscribers = [
      ...(budgetEmail === undefined ? [] : [{ subscriptionType: 'EMAIL', address: budgetEmail }]),
      ...(alarmTopic === undefined ? [] : [{ subscriptionType: 'SNS', address: alarmTopic }]),
    ];
    new CfnBudget(this, 'Monthly', {
      budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount: monthlyBudget, unit: 'USD' } },
      notificationsWithSubscribers: THRESHOLDS.map((threshold) => ({
        notification: { ...threshold, comparisonOperator: 'GREATER_THAN', thresholdType: 'PERCENTAGE' },
        subscribers,
      })),
    });
  }
}
