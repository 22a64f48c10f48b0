// The rules on one page.

import { defineHelp, said } from '$shell/lib/help.ts';

export default defineHelp(() => [
  {
    title: said({ en: 'What counts', ja: '失点', ru: 'Что считается' }),
    lines: [
      {
        show: 'A♥ … 2♥',
        worth: '1',
        text: said({
          en: 'Each heart you take.',
          ja: '取ったハート一枚ごと。',
          ru: 'Каждая взятая черва.',
        }),
      },
      {
        show: 'Q♠',
        worth: '13',
        text: said({ en: 'The queen of spades.', ja: 'スペードのクイーン。', ru: 'Дама пик.' }),
      },
      {
        name: said({ en: 'Shooting the moon', ja: 'シュート・ザ・ムーン', ru: 'Взять всё' }),
        worth: '0',
        text: said({
          en: 'Take all 26 points and you get none: everybody else gets 26.',
          ja: '二十六点をすべて取ると零点になり、ほかの全員に二十六点が付きます。',
          ru: 'Взяв все 26 очков, вы не получаете ни одного: по 26 получают остальные.',
        }),
      },
    ],
  },
  {
    title: said({ en: 'Passing', ja: '札を渡す', ru: 'Передача' }),
    lines: [
      {
        text: said({
          en: 'Three cards before each deal: to the left, then to the right, then across; every fourth deal nobody passes.',
          ja: '配られたら三枚渡します。左、右、向かいの順に変わり、四回目は渡しません。',
          ru: 'Три карты перед игрой: налево, затем направо, затем напротив; в каждой четвёртой сдаче не передают.',
        }),
      },
    ],
  },
  {
    title: said({ en: 'Tricks', ja: 'トリック', ru: 'Взятки' }),
    lines: [
      {
        show: '2♣',
        text: said({
          en: 'It leads the first trick, and no points may be played there.',
          ja: '最初のトリックはこれで始まります。ここでは点の札を出せません。',
          ru: 'С неё начинается первая взятка, и очки в неё класть нельзя.',
        }),
      },
      {
        name: said({ en: 'Following', ja: 'フォロー', ru: 'В масть' }),
        text: said({
          en: 'Play the suit that was led if you have it, else any card. The highest card of that suit takes the trick and leads the next.',
          ja: 'リードされたスートがあれば必ず出します。なければ何でも出せます。そのスートで一番強い札が取り、次をリードします。',
          ru: 'Кладите масть первой карты, а без неё — любую. Старшая карта этой масти берёт взятку и начинает следующую.',
        }),
      },
      {
        name: said({ en: 'Breaking hearts', ja: 'ハートブレイク', ru: 'Открыть червы' }),
        text: said({
          en: 'Nobody may lead a heart before one was played, unless they have nothing else.',
          ja: 'ハートが一度出るまで、ほかの札がある限りハートではリードできません。',
          ru: 'С червы нельзя начинать, пока она не вышла, — разве что других карт нет.',
        }),
      },
    ],
  },
]);
