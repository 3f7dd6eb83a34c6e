import { expect, test } from 'vitest';
import { templateOf } from '../testing.ts';

const alarmTopic = 'arn:aws:sns:eu-west-1:123456789012:ops';
const email = { SubscriptionType: 'EMAIL', Address: 'ops@example.com' };
const topic = { SubscriptionType: 'SNS', Address: alarmTopic };

test.each([
  [{ budgetEmail: 'ops@example.com' }, [email]],
  [{ alarmTopic }, [topic]],
  [{ alarmTopic, alarms: false, budgetEmail: 'ops@example.com' }, [email, topic]],
])("the account's budget notifies %j at half, at the whole, and at a forecast of the whole", (context, Subscribers) => {
  const found = templateOf({ monthlyBudget: '20', ...context }).findResources('AWS::Budgets::Budget');
  const told = (NotificationType: string, Threshold: number) => ({
    Notification: { NotificationType, Threshold, ThresholdType: 'PERCENTAGE', ComparisonOperator: 'GREATER_THAN' },
    Subscribers,
  });
  expect(Object.values(found).map(({ Properties }) => Properties)).toEqual([
    {
      Budget: { BudgetType: 'COST', TimeUnit: 'MONTHLY', BudgetLimit: { Amount: 20, Unit: 'USD' } },
      NotificationsWithSubscribers: [told('ACTUAL', 50), told('ACTUAL', 100), told('FORECASTED', 100)],
    },
  ]);
});

test('creates no budget without monthlyBudget', () => {
  templateOf().resourceCountIs('AWS::Budgets::Budget', 0);
});
