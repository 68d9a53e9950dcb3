// What the page says, by language.
export const TEXTS = {
  en: {
    subtitle: "Rules of card and board games: write, check, play. Nothing leaves your browser.",
    gallery: "Start from", own: "my own rules", language: "Language", rules: "Rules",
    run: "Run", runSays: "Check everything: examples, games, properties", stop: "Stop", play: "Play", share: "Share",
    shared: "The link is in the address bar and in the clipboard ({size} kB).",
    sharedOnly: "The link is in the address bar ({size} kB).",
    download: "Download", format: "Lay out", compare: "Compare with the base",
    problems: "Problems", report: "Report", table: "Table", explain: "What it means",
    loading: "Python is loading …", ready: "Ready", working: "Working …", stopped: "Stopped; Python is starting anew …",
    failed: "Python could not be started: {reason}",
    noProblems: "No problems.", counts: "{errors} errors, {warnings} warnings", line: "line {line}",
    hint: "Hint: {hint}", means: "What does {code} mean?",
    noReport: "“Run” plays games and tells what does not hold, with the shortest game that shows it.",
    story: "A game in which it happens", again: "Once more",
    badLink: "This link is damaged: the rules in it cannot be read.",
    players: "Players", opponent: "The others", alone: "I play all seats", random: "play at random", greedy: "think one move ahead",
    sit: "Sit down", 
    mend: "These rules have mistakes; mend them first.", 
    editor: "Rules. Press Escape, then Tab to leave.",
  },
  ru: {
    subtitle: "Правила карточных и настольных игр: пишите, проверяйте, играйте. Ничто не покидает браузер.",
    gallery: "Начать с", own: "мои правила", language: "Язык", rules: "Правила",
    run: "Проверить", runSays: "Проверить всё: примеры, партии, свойства", stop: "Стоп", play: "Играть", share: "Поделиться",
    shared: "Ссылка в адресной строке и в буфере обмена ({size} кБ).",
    sharedOnly: "Ссылка в адресной строке ({size} кБ).",
    download: "Скачать", format: "Разметить", compare: "Сравнить с основой",
    problems: "Ошибки", report: "Отчёт", table: "Стол", explain: "Что это значит",
    loading: "Python загружается …", ready: "Готово", working: "Работаю …", stopped: "Остановлено; Python запускается снова …",
    failed: "Python не запустился: {reason}",
    noProblems: "Ошибок нет.", counts: "ошибок: {errors}, предупреждений: {warnings}", line: "строка {line}",
    hint: "Подсказка: {hint}", means: "Что значит {code}?",
    noReport: "«Проверить» играет партии и говорит, что нарушено, с самой короткой партией, где это видно.",
    story: "Партия, в которой это случается", again: "Ещё раз",
    badLink: "Ссылка повреждена: правила из неё не читаются.",
    players: "Игроков", opponent: "Остальные", alone: "я играю за всех", random: "ходят случайно", greedy: "думают на ход вперёд",
    sit: "Сесть за стол", 
    mend: "В правилах есть ошибки; сначала исправьте их.", 
    editor: "Правила. Escape, затем Tab – выйти.",
  },
}

export function say(language, name, values = {}) {
  return TEXTS[language][name].replace(/\{(\w+)\}/g, (_, hole) => String(values[hole]))
}
